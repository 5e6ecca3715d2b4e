import type { JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseStrictJson } from '../../platform/json/strict-json.js';
import { parseStrictYaml, writeStrictYaml } from '../../platform/text/yaml/strict-yaml.js';
import { TextFault } from '../../platform/text/text-fault.js';
import { LIMITS } from '../import/import-limits.js';
import { type FileProblem, StoryFilesError } from './story-files-error.js';

/** One file of a story. */
export interface StoryFile {
  /** Relative, with `/`. */
  path: string;
  text: string;
}

/** How the files of a story are written. */
export type FileFormat = 'json' | 'yaml';

const DATA_FILE = /^(.*)\.(json|yaml|yml)$/i;
/** A text is nested in lists and objects a little deeper than the story that it is a part of. */
const MOST_DEPTH = LIMITS.depth + 10;
const MOST_FILES = 5_000;
const MOST_FILE_BYTES = 8 * 1024 * 1024;
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_PATH = 1_000;

/** Returns a file with the value, which ends in a line end. */
export function fileOfValue(stem: string, value: JsonValue, format: FileFormat): StoryFile {
  const text = format === 'yaml' ? writeStrictYaml(value) : `${stringifyJson(value, 2)}\n`;
  return { path: `${stem}.${format}`, text };
}

/**
 * Returns the value in a file of JSON or YAML. A byte order mark and line ends of Windows make no difference.
 * @throws StoryFilesError with the line of its fault.
 */
export function valueOfFile({ path, text }: StoryFile): JsonValue {
  const own = text.startsWith('\ufeff') ? text.slice(1) : text;
  try {
    return path.toLowerCase().endsWith('.json')
      ? parseStrictJson(own, MOST_DEPTH)
      : parseStrictYaml(own, MOST_DEPTH);
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    throw new StoryFilesError([{ path, line: error.line, message: error.message }]);
  }
}

/** Returns the path without its ending; undefined for a file that is neither JSON nor YAML. */
export function stemOf(path: string): string | undefined {
  return DATA_FILE.exec(path)?.[1];
}

/** @throws StoryFilesError for more files and bytes than a story has, and for paths that lead out of a folder. */
export function requireSafeFiles(files: readonly StoryFile[]): void {
  if (files.length > MOST_FILES) {
    throw new StoryFilesError([{ path: '.', message: `there are more than ${MOST_FILES} files` }]);
  }
  const problems: FileProblem[] = [];
  const known = new Set<string>();
  let bytes = 0;
  for (const { path, text } of files) {
    const size = Buffer.byteLength(text);
    bytes += size;
    const message =
      pathFault(path) ??
      (size > MOST_FILE_BYTES ? `is larger than ${MOST_FILE_BYTES} bytes` : undefined) ??
      (known.has(path) ? 'is there twice' : undefined);
    if (message !== undefined) problems.push({ path, message });
    known.add(path);
  }
  if (bytes > MOST_BYTES)
    problems.push({ path: '.', message: `the files have more than ${MOST_BYTES} bytes` });
  if (problems.length > 0) throw new StoryFilesError(problems);
}

function pathFault(path: string): string | undefined {
  if (path.length > MOST_PATH) return `the path is longer than ${MOST_PATH} characters`;
  const isRelative = path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  const isPlain = !/[\\\p{Cc}]|^[A-Za-z]:/u.test(path);
  return isRelative && isPlain ? undefined : 'is not a path within a folder';
}
