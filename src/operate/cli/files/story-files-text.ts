import { lstat } from 'node:fs/promises';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { type FileProblem, StoryFilesError } from '../../../stories/face.js';
import { type CliIo, readInputFile } from '../cli-io.js';
import { isHead, readStories, readStory } from './story-place.js';

/** A story as the JSON text of an export or of the body of an import, or why it cannot be read. */
export type FoundText = { file: string } & ({ text: string } | { problems: FileProblem[] });

/** Returns the JSON text of a story: a file of JSON or YAML, a folder, or `-` for JSON on standard input. @throws StoryFilesError */
export async function readStoryText(io: CliIo, given: string): Promise<string> {
  if (given === '-' || !(await isOtherForm(given))) return readInputFile(io, given);
  return stringifyJson((await readStory(given)).story);
}

/** Returns the texts of all stories at a path, as `readStoryText`. */
export async function readStoryTexts(io: CliIo, given: string): Promise<FoundText[]> {
  const file = given === '-' ? 'standard input' : given;
  if (given === '-' || !(await isOtherForm(given))) return [{ file, text: await readInputFile(io, given) }];
  try {
    const stories = await readStories(given, (others) => {
      io.stderr.write(`${given}: left out ${leftOut(others)}\n`);
    });
    return stories.map(({ shown, story }) => ({ file: shown, text: stringifyJson(story) }));
  } catch (error) {
    if (!(error instanceof StoryFilesError)) throw error;
    const places = [...new Set(error.problems.map((problem) => problem.path))];
    return places.map((where) => ({
      file: where,
      problems: error.problems.filter((problem) => problem.path === where),
    }));
  }
}

/** Returns what is wrong with a file, and in which line. */
export function withLine({ line, message }: FileProblem): string {
  return line === undefined ? message : `line ${line}: ${message}`;
}

function leftOut([first = '', ...more]: string[]): string {
  return more.length === 0
    ? `${first}, which holds no story`
    : `${more.length + 1} files that hold no story, such as ${first}`;
}

/** Whether a path has another form than one file of JSON: a folder, the head of one, or YAML. */
async function isOtherForm(given: string): Promise<boolean> {
  const entry = await lstat(given);
  return entry.isDirectory() || /\.ya?ml$/i.test(given) || isHead(given);
}
