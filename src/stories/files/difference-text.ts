import type { JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { visibleText } from '../../platform/visible-text.js';
import type { StoryDifference } from '../diff/story-diff.js';

const MOST_CHARACTERS = 160;
const MOST_LINES = 60;
const SIGNS = { added: '+', removed: '-', changed: '~' } as const;

/** Returns differences as lines for people, under the name of their action. Long texts are compared line by line. */
export function differencesText(differences: readonly StoryDifference[]): string[] {
  let action: string | null = null;
  return differences.flatMap((difference) => {
    const isNew = difference.action !== null && difference.action !== action;
    action = difference.action;
    const heading = isNew && difference.path !== null ? [`  "${visibleText(difference.action ?? '')}"`] : [];
    return [...heading, ...linesOf(difference)];
  });
}

function linesOf({ kind, change, action, path, before, after }: StoryDifference): string[] {
  const sign = SIGNS[change];
  if (path === null)
    return [`  ${sign} ${kind} ${wholeText(kind, action, change === 'removed' ? before : after)}`];
  const place = `  ${action === null ? '' : '  '}${sign} ${action === null ? `${kind} ` : ''}${visibleText(path)}`;
  if (change === 'changed' && isLong(before) && isLong(after)) {
    return [`${place}:`, ...changedLines(before, after)];
  }
  if (change === 'added') return [`${place}: ${shown(after)}`];
  if (change === 'removed') return [`${place}: ${shown(before)}`];
  return [`${place}: ${shown(before)} → ${shown(after)}`];
}

function wholeText(kind: StoryDifference['kind'], action: string | null, value: JsonValue): string {
  if (kind !== 'link') return action === null ? shown(value) : `"${visibleText(action)}"`;
  const { source, receiver, link_type: type } = value as Record<string, JsonValue>;
  return `${shown(source ?? '')} → ${shown(receiver ?? '')}${typeof type === 'string' ? ` (${type})` : ''}`;
}

const isLong = (value: JsonValue): value is string => typeof value === 'string' && value.includes('\n');

function shown(value: JsonValue): string {
  const text = stringifyJson(value);
  return visibleText(text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text);
}

/** Returns the lines between the equal beginning and the equal end of two texts: at most 60, each with its sign. */
export function changedLines(before: string, after: string): string[] {
  const [old, made] = [before.split('\n'), after.split('\n')];
  const most = Math.min(old.length, made.length);
  let start = 0;
  while (start < most && old[start] === made[start]) start += 1;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === made.at(-1 - end)) end += 1;
  const lines = [
    ...old.slice(start, old.length - end).map((line) => `        - ${visibleText(line)}`),
    ...made.slice(start, made.length - end).map((line) => `        + ${visibleText(line)}`),
  ];
  const left = lines.length - MOST_LINES;
  return left <= 0 ? lines : [...lines.slice(0, MOST_LINES), `        … and ${left} lines more`];
}
