import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { orderedObject } from '../../platform/json/ordered-object.js';
import { mapValues } from '../export/export-form.js';
import { valueOfFile, stemOf, type StoryFile } from './file-text.js';
import { FORM_KEY, FORM_VERSION, LAYOUT, LISTS } from './folder-form.js';
import { type FileProblem, StoryFilesError } from './story-files-error.js';

/**
 * Returns the story of a folder. `head` is the value of its file `story`, at `headPath`; `others` are the other files.
 * @throws StoryFilesError with each file that is missing, is named twice or not at all, or has a fault.
 */
export function storyOfFolder(head: JsonObject, headPath: string, others: readonly StoryFile[]): JsonObject {
  if (head[FORM_KEY] !== FORM_VERSION) {
    const message = `"${FORM_KEY}" is not ${FORM_VERSION}: another version of Fabula has written it`;
    throw new StoryFilesError([{ path: headPath, message }]);
  }
  const folder = headPath.replace(/[^/]*$/, '');
  const problems: FileProblem[] = [];
  const files = filesByStem(others, problems);
  const used = new Set<string>();

  function itemOf(item: JsonValue, under: string): JsonValue {
    if (typeof item !== 'string') return item;
    const stem = `${folder}${under}/${item}`;
    const file = files.get(stem);
    if (file === undefined)
      return failed(`names "${item}", and there is no file ${under}/${item}.yaml or .json`);
    if (used.has(stem)) return failed(`names "${item}" twice in one list`);
    used.add(stem);
    return read(file, problems);
  }

  function failed(message: string): null {
    problems.push({ path: headPath, message });
    return null;
  }

  const positions = new Map<string, number>();
  const { agents } = head;
  for (const [index, name] of (Array.isArray(agents) ? agents : []).entries()) {
    if (typeof name === 'string') positions.set(name, index);
  }
  const endOf = (end: JsonValue): JsonValue =>
    typeof end === 'string'
      ? (positions.get(end) ?? failed(`has a link with "${end}", which is no action`))
      : end;

  const whole = mapValues(head, (value, key) => {
    if (key === LAYOUT) return isJsonObject(value) ? stringifyJson(value) : value;
    if (!Array.isArray(value)) return value;
    if (key === 'links')
      return value.map((link) => (isJsonObject(link) ? positionedLink(link, endOf) : link));
    const under = Object.hasOwn(LISTS, key) ? LISTS[key] : undefined;
    return under === undefined ? value : value.map((item) => itemOf(item, under));
  });
  for (const [stem, { path }] of files) {
    if (!used.has(stem)) problems.push({ path, message: `is not named in ${headPath}` });
  }
  if (problems.length > 0) throw new StoryFilesError(problems);
  return orderedObject(Object.entries(whole).filter(([key]) => key !== FORM_KEY));
}

function positionedLink(link: JsonObject, endOf: (end: JsonValue) => JsonValue): JsonObject {
  return mapValues(link, (value, key) => (key === 'source' || key === 'receiver' ? endOf(value) : value));
}

/** Files that are neither JSON nor YAML, such as notes for readers, are no part of the story. */
function filesByStem(others: readonly StoryFile[], problems: FileProblem[]): Map<string, StoryFile> {
  const files = new Map<string, StoryFile>();
  for (const file of others) {
    const stem = stemOf(file.path);
    if (stem === undefined) continue;
    const known = files.get(stem);
    if (known !== undefined)
      problems.push({ path: file.path, message: `is beside ${known.path}: delete one` });
    files.set(stem, file);
  }
  return files;
}

/** Faults of files are gathered, so that all are told at once. */
function read(file: StoryFile, problems: FileProblem[]): JsonValue {
  try {
    return valueOfFile(file);
  } catch (error) {
    if (!(error instanceof StoryFilesError)) throw error;
    problems.push(...error.problems);
    return null;
  }
}
