import { isJsonObject, type JsonObject } from '../../platform/json.js';
import { nameForFile } from './file-names.js';
import {
  type FileFormat,
  valueOfFile,
  requireSafeFiles,
  stemOf,
  type StoryFile,
  fileOfValue,
} from './file-text.js';
import { folderFiles, FORM_KEY, hasFolderForm } from './folder-form.js';
import { storyOfFolder } from './read-folder.js';
import { StoryFilesError } from './story-files-error.js';

/** How a story becomes files. */
export interface FilesForm {
  /** `file`: one file, which is the export; `folder`: a folder with one file for each action. */
  layout: 'file' | 'folder';
  format: FileFormat;
  /** Name of the file or folder. Default: one that follows from the story's name. */
  stem?: string | undefined;
}

/** `story.yaml`, in the folder of a story. */
const HEAD = /^(?:.*\/)?story\.(?:json|yaml|yml)$/i;

/**
 * Returns the files of a story in the export form. `storyOfFiles` gives the same story, with the same order of keys; the
 * same story always gives the same texts. Paths begin with the name of the file or folder. A story that has no form as a
 * folder (decision 0108) is one file.
 * @throws StoryFilesError for a story that cannot be told from a folder.
 */
export function filesOfStory(
  story: JsonObject,
  { layout, format, stem = stemOfStory(story) }: FilesForm,
): StoryFile[] {
  if (Object.hasOwn(story, FORM_KEY)) {
    const message = `a story with the key "${FORM_KEY}" has no form as files: the key marks a folder`;
    throw new StoryFilesError([{ path: stem, message }]);
  }
  if (layout === 'folder' && hasFolderForm(story)) return folderFiles(stem, story, format);
  return [fileOfValue(stem, story, format)];
}

/** Returns the name of a story's file or folder, without its ending. */
export function stemOfStory({ name }: JsonObject): string {
  return nameForFile(typeof name === 'string' ? name : '', 'unnamed');
}

/**
 * Returns the story in the export form that these files hold: one file, or all of one folder. Files that are neither JSON
 * nor YAML are left out.
 * @throws StoryFilesError with every fault, and its line if it is one of a file's form.
 */
export function storyOfFiles(files: readonly StoryFile[]): JsonObject {
  requireSafeFiles(files);
  const data = files.filter(({ path }) => stemOf(path) !== undefined);
  const [head] = data.filter(({ path }) => HEAD.test(path)).toSorted((a, b) => depthOf(a) - depthOf(b));
  const first = head ?? data[0];
  if (first === undefined)
    throw new StoryFilesError([{ path: '.', message: 'there is no file of JSON or YAML' }]);
  const value = valueOfFile(first);
  if (!isJsonObject(value))
    throw new StoryFilesError([{ path: first.path, message: 'is no story: no object' }], true);
  const others = data.filter((file) => file !== first);
  if (Object.hasOwn(value, FORM_KEY)) return storyOfFolder(value, first.path, others);
  if (others.length === 0) return value;
  throw new StoryFilesError(
    others.map(({ path }) => ({ path, message: `is no part of the story in ${first.path}` })),
  );
}

const depthOf = ({ path }: StoryFile): number => path.split('/').length;
