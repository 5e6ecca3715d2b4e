import type {
  MissingPath,
  PreviewFault,
  PreviewValue,
  TemplatePreviews,
} from '../../../../../clients/typescript/api.js';
import type { FieldNotes } from '../../../inspector/form/field-context.js';
import type { TemplateMark } from '../../../inspector/template-field/code-mirror.js';
import { nounWords } from '../../../ui/words/figures.js';
import { keyOfPath, type PlacedTemplate } from './templates-in.js';

const NOUNS = { text: 'character', list: 'item', object: 'key' } as const;

/** Returns what is known about each template, by the key of its path. */
export function notesOf(
  templates: readonly PlacedTemplate[],
  { values, sample }: TemplatePreviews,
): Map<string, FieldNotes> {
  const byKey = new Map(values.map((value) => [value.key, value]));
  return new Map(
    templates.flatMap(({ path, template }): [string, FieldNotes][] => {
      const value = byKey.get(keyOfPath(path));
      return value === undefined ? [] : [[keyOfPath(path), noteOf(template, value, sample !== null)]];
    }),
  );
}

/** Returns the kind of a value with its size: `text, 12 characters`. */
export function kindWords({ type, size }: Pick<PreviewValue, 'type' | 'size'>): string {
  if (type === null) return '';
  if (size === null || type === 'number' || type === 'boolean' || type === 'null') return type;
  return `${type}, ${nounWords(size, NOUNS[type])}`;
}

/** Without a sample a value says nothing: each path would be empty. */
function noteOf(template: string, value: PreviewValue, hasSample: boolean): FieldNotes {
  const missing = value.missing.filter(({ guarded }) => !guarded);
  const faults = [
    ...(value.error === null ? [] : [faultMark(template, value.error)]),
    ...missing.map((path) => missingMark(template, path)),
  ];
  if (value.value === null || !hasSample) return { faults, rendered: undefined };
  return {
    faults,
    rendered: {
      text: value.value,
      kind: kindWords(value),
      isCut: value.truncated,
      missing: missing.map(({ path }) => path),
    },
  };
}

function faultMark(template: string, { message, line, column }: PreviewFault): TemplateMark {
  const from = line === null ? 0 : offsetOf(template, line, column ?? 1);
  const to = line === null ? template.length : Math.min(from + 1, template.length);
  return { from, to, message, isError: true };
}

function missingMark(template: string, { path, line, column }: MissingPath): TemplateMark {
  const from = offsetOf(template, line, column);
  const to = Math.min(from + path.length, template.length);
  return { from, to, message: `The sample has no ${path}.`, isError: false };
}

/** Returns the index of a line and column, both from 1. */
function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const end = text.indexOf('\n', start);
    if (end < 0) break;
    start = end + 1;
  }
  return Math.min(start + column - 1, text.length);
}
