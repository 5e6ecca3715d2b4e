import { readFile } from 'node:fs/promises';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import {
  agentsOf,
  changedLines,
  changesBetween,
  diffStories,
  problemText,
  type StoryDifference,
  StoryFilesError,
  valueOfFile,
} from '../../../stories/face.js';
import { type ShownDifference, shownDifference } from './show-difference.js';

const NOTHING = '/dev/null';

/**
 * Returns what differs between two states of one file, for the arguments with which git calls a diff driver: `path old-file
 * old-hex old-mode new-file new-hex new-mode`. The file may be a story, or one file of its folder.
 */
export async function gitDifference([
  shown = '',
  old = '',
  ,
  oldMode = '',
  made = '',
  ,
  mode = '',
]: string[]): Promise<ShownDifference> {
  const [before, after] = [await textAt(old), await textAt(made)];
  const found = differenceOfTexts(shown, { path: old, text: before }, { path: made, text: after });
  const isOtherMode = oldMode !== mode && before !== undefined && after !== undefined;
  if (!isOtherMode) return found;
  const lines = before === after ? [] : found.lines;
  return { ...found, lines: [`  mode ${oldMode} → ${mode}`, ...lines], isDifferent: true };
}

/** A file, and what it holds; undefined: there is none. */
interface FileText {
  path: string;
  text: string | undefined;
}

function differenceOfTexts(shown: string, old: FileText, made: FileText): ShownDifference {
  try {
    const differences = differencesBetween(valueIn(old), valueIn(made));
    return shownDifference(shown, differences, differences.length > 0);
  } catch (error) {
    // Git ends its whole output if a driver fails.
    if (!(error instanceof StoryFilesError)) throw error;
    const faults = error.problems.map((problem) => `  ${problemText({ ...problem, path: shown })}`);
    const lines = [...faults, ...changedLines(old.text ?? '', made.text ?? '')];
    return { title: shown, differences: [], lines, isDifferent: true };
  }
}

async function textAt(file: string): Promise<string | undefined> {
  return file === NOTHING ? undefined : readFile(file, 'utf8');
}

function valueIn({ path, text }: FileText): JsonValue | undefined {
  return text === undefined ? undefined : valueOfFile({ path, text });
}

function differencesBetween(before: JsonValue | undefined, after: JsonValue | undefined): StoryDifference[] {
  if (isWhole(before) && isWhole(after)) return diffStories(before, after);
  const name = nameIn(after) ?? nameIn(before);
  return changesBetween(before, after).map(({ path, before: was, after: is }) => ({
    kind: 'action',
    change: was === undefined ? 'added' : is === undefined ? 'removed' : 'changed',
    action: name,
    guid: null,
    path: path === '' ? null : path,
    before: was ?? null,
    after: is ?? null,
  }));
}

/** Whether a value is a story, with its actions in it. */
function isWhole(value: JsonValue | undefined): value is JsonObject {
  return value !== undefined && isJsonObject(value) && agentsOf(value).length > 0;
}

function nameIn(value: JsonValue | undefined): string | null {
  const name = value !== undefined && isJsonObject(value) ? value.name : undefined;
  return typeof name === 'string' ? name : null;
}
