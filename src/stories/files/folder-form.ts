import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { orderedObject } from '../../platform/json/ordered-object.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { mapValues } from '../export/export-form.js';
import { createFileNames } from './file-names.js';
import { type FileFormat, type StoryFile, fileOfValue } from './file-text.js';

/** First key of the file `story` in a folder: the version of this form. */
export const FORM_KEY = 'fabula_files';
export const FORM_VERSION = 1;

/** Lists of a story whose items have files of their own: in which folder. */
export const LISTS: Record<string, string> = {
  agents: 'actions',
  send_to_stories: 'stories',
  fabula_tests: 'tests',
};
const LINK_ENDS = ['source', 'receiver'];
export const LAYOUT = 'diagram_layout';

/** Whether a story has the form of a folder. One that no import takes, such as a list of texts as actions, has none. */
export function hasFolderForm(story: JsonObject): boolean {
  const { agents, links, [LAYOUT]: layout } = story;
  const hasActions = Array.isArray(agents) && agents.every(isJsonObject);
  const isSound = Array.isArray(links) && links.every((link) => isJsonObject(link) && hasPlainEnds(link));
  const others = Object.keys(LISTS).filter((key) => key !== 'agents');
  return (
    hasActions &&
    isSound &&
    !isJsonObject(layout ?? null) &&
    others.every((key) => !Object.hasOwn(story, key) || hasNoTexts(story[key] ?? null))
  );
}

function hasPlainEnds(link: JsonObject): boolean {
  return LINK_ENDS.every((end) => typeof link[end] !== 'string');
}

/** A text would be read as the name of a file. */
function hasNoTexts(list: JsonValue): boolean {
  return !Array.isArray(list) || list.every((item) => typeof item !== 'string');
}

/** Returns the files of a story that `hasFolderForm`: `story`, and one for each action, embedded story and test. */
export function folderFiles(folder: string, story: JsonObject, format: FileFormat): StoryFile[] {
  const files: StoryFile[] = [];
  let actions: string[] = [];
  const names = Object.keys(LISTS).map((key) => [key, namesOf(story[key] ?? null)] as const);
  const namesIn = new Map(names);
  actions = namesIn.get('agents')?.map((name) => name ?? '') ?? [];
  const head = mapValues(story, (value, key) => {
    if (key === LAYOUT) return unfoldedLayout(value);
    if (key === 'links') return (value as JsonObject[]).map((link) => namedLink(link, actions));
    const under = Object.hasOwn(LISTS, key) ? LISTS[key] : undefined;
    if (under === undefined || !Array.isArray(value)) return value;
    return value.map((item, index) => {
      const name = namesIn.get(key)?.[index];
      if (name === undefined) return item;
      files.push(fileOfValue(`${folder}/${under}/${name}`, item, format));
      return name;
    });
  });
  const marked = orderedObject<JsonValue>([[FORM_KEY, FORM_VERSION], ...Object.entries(head)]);
  return [fileOfValue(`${folder}/story`, marked, format), ...files];
}

/** Returns a name for the file of each item; undefined for one that is no object. */
function namesOf(list: JsonValue): (string | undefined)[] {
  if (!Array.isArray(list)) return [];
  const nameFile = createFileNames('unnamed');
  return list.map((item, index) => {
    if (!isJsonObject(item)) return undefined;
    const { name, guid } = item;
    return nameFile(typeof name === 'string' ? name : '', typeof guid === 'string' ? guid : String(index));
  });
}

/** Ends are the names of files instead of positions: an action more does not change all links. */
function namedLink(link: JsonObject, actions: string[]): JsonObject {
  return mapValues(link, (value, key) => {
    if (!LINK_ENDS.includes(key) || typeof value !== 'number') return value;
    return actions[value] ?? value;
  });
}

/** The layout is a JSON text in an export. It is written as what it says, if nothing is lost by that. */
function unfoldedLayout(layout: JsonValue): JsonValue {
  const read = typeof layout === 'string' ? layoutIn(layout) : undefined;
  return read !== undefined && stringifyJson(read) === layout ? read : layout;
}

function layoutIn(text: string): JsonObject | undefined {
  try {
    const read = parseJson(text);
    return isJsonObject(read) ? read : undefined;
  } catch {
    return undefined; // it stays a text, which the import refuses with its reason
  }
}
