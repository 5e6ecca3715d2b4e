import type { ImportedStory, StoryCheck } from '../../../../../clients/typescript/api.js';
import { sendText } from '../../../api/console-api.js';
import { isolated } from '../../../text/isolated.js';

/** A file as it was read, with what the server's check says of it. */
export interface CheckedFile {
  /** The export as it stands in the file: numbers keep all their digits. */
  text: string;
  check: StoryCheck;
}

/** How a story is imported. */
export interface ImportChoice {
  name: string;
  teamId: number | undefined;
  folderId: number | undefined;
  replaces: boolean;
}

const LARGEST_BYTES = 32 * 1024 * 1024;

/** Reads a file and lets the server check it. @throws Error if it is too large or no JSON; FabulaError of the check. */
export async function checkFile(file: File): Promise<CheckedFile> {
  if (file.size > LARGEST_BYTES) throw new Error('The file is larger than 32 MiB.');
  const text = await file.text();
  if (!isJson(text))
    throw new Error(`${isolated(file.name)} is not valid JSON, so it is not a story export.`);
  const check = JSON.parse(await sendText('POST', '/api/v1/stories/check', `{"data":${text}}`)) as StoryCheck;
  return { text, check };
}

/** Imports the text of an export. @throws FabulaError for a refusal. */
export async function importText(text: string, choice: ImportChoice): Promise<ImportedStory> {
  const settings = {
    new_name: choice.name,
    mode: choice.replaces ? 'versionReplace' : 'new',
    team_id: choice.teamId,
    folder_id: choice.folderId,
  };
  const body = `${JSON.stringify(settings).slice(0, -1)},"data":${text}}`;
  return JSON.parse(await sendText('POST', '/api/v1/stories/import', body)) as ImportedStory;
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
