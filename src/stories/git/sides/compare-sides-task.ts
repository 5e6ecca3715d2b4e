import { isJsonObject, type JsonObject } from '../../../platform/json.js';
import { jsonLines } from '../../../platform/json/json-lines.js';
import { CHECKS_HERE } from '../../check/checks-here.js';
import { sameJson } from '../../diff/value-changes.js';
import { mapValues } from '../../export/export-form.js';
import type { StoredStory } from '../../export/story-export-store.js';
import { type FilesForm, filesOfStory, storyOfFiles } from '../../files/story-files.js';
import type { StoryFile } from '../../files/file-text.js';
import { withKnownGuids } from '../../files/known-actions.js';
import { problemText, StoryFilesError } from '../../files/story-files-error.js';
import { exportAlone } from '../../export/export.js';
import { lostText, portableStory, withHiddenTexts, withOriginGuids } from '../../files/portable-story.js';
import { readImport } from '../../import/read-import.js';
import { storyOfSnapshot } from '../../versions/version-snapshot.js';
import { MOST_FILE_BYTES } from './story-places.js';

/** The sides of a story, to be compared. */
export interface SidesOrder {
  /** The text of a snapshot; null: the server has no such story. */
  live: string | null;
  /** What both had in common, as the text of a snapshot; null: unknown. */
  base: string | null;
  /** Of the repository; null: they need not be read. */
  files: StoryFile[] | null;
  form: FilesForm;
}

/** What a comparison has found. */
export interface ComparedSides {
  /** The files of the live story; empty without one, and if it has no form as files. */
  written: StoryFile[];
  /** Whether the live story differs from the base; true without one. */
  isChangedHere: boolean;
  /** Whether the files hold what the live story is. */
  isSame: boolean;
  /** The story of the files, as an import takes it, in lines; null: there is none. */
  data: string | null;
  /** Its name and guid. */
  head: { name: string; guid: string | null } | null;
  /** Why the files are no story, or the live story cannot be written as files; empty: all is well. */
  problems: string[];
  /** Webhooks that go although the files have others of their names: `withKnownGuids`. */
  warnings: string[];
  /** The files are valid, and no story at all, such as the settings of another program. */
  isOther: boolean;
}

const MOST_PROBLEMS = 10;

/** Compares a story with its files in a repository. Pure; for a thread if the texts are large. */
export function compareSides({ live, base, files, form }: SidesOrder): ComparedSides {
  const liveStory = live === null ? undefined : storyOfSnapshot(live);
  const baseStory = base === null ? undefined : storyOfSnapshot(base);
  const known = [baseStory, liveStory].filter((story) => story !== undefined).map(openForm);
  const liveForm = liveStory && portableStory(openForm(liveStory));
  const baseForm = baseStory && portableStory(openForm(baseStory));
  const read = files === null ? undefined : readFiles(files, { known, live: liveForm, base: baseForm });
  const { written, faults } = liveForm === undefined ? NO_FILES : writtenFiles(liveForm, form);
  return {
    written,
    isChangedHere: liveForm !== undefined && !sameJson(liveForm, baseForm),
    isSame: liveForm !== undefined && read?.given !== undefined && sameJson(liveForm, read.given),
    data: read?.data === undefined ? null : jsonLines(read.data),
    head: read?.data === undefined ? null : headOf(read.data),
    problems: [...(read?.problems ?? []), ...faults],
    warnings: read?.warnings ?? [],
    isOther: read?.isOther ?? false,
  };
}

const NO_FILES = { written: [], faults: [] };

/** Returns the export with its secrets, and with the guids of files. */
function openForm(story: StoredStory): JsonObject {
  return withOriginGuids(exportAlone(story), story);
}

/** What is not written would be read as deleted: a story with faults is not pushed. */
function writtenFiles(story: JsonObject, form: FilesForm): { written: StoryFile[]; faults: string[] } {
  try {
    const written = filesOfStory(story, form);
    const large = written.find(({ text }) => Buffer.byteLength(text) > MOST_FILE_BYTES);
    if (large === undefined) return { written, faults: [] };
    return { written: [], faults: [`${large.path} would be larger than ${MOST_FILE_BYTES} bytes`] };
  } catch (error) {
    if (!(error instanceof StoryFilesError)) throw error;
    return { written: [], faults: error.problems.map(problemText) };
  }
}

interface ReadFiles {
  given?: JsonObject;
  data?: JsonObject;
  problems: string[];
  warnings?: string[];
  isOther: boolean;
}

interface KnownStates {
  /** The states of the story with all secrets. */
  known: readonly JsonObject[];
  /** As files hold them. */
  live: JsonObject | undefined;
  base: JsonObject | undefined;
}

/** A person may have written the files without guids: its actions are those of the live story with their names. */
function readFiles(files: StoryFile[], { known: states, live, base }: KnownStates): ReadFiles {
  try {
    const written = storyOfFiles(files);
    if (!Array.isArray(written.agents)) return { problems: [], isOther: true };
    const known = live === undefined ? undefined : withKnownGuids(written, live, base);
    const given = known?.story ?? written;
    const { story: data, lost } = withHiddenTexts(given, ...states);
    if (lost.length > 0)
      return { given, problems: lost.slice(0, MOST_PROBLEMS).map(lostText), isOther: false };
    const { request, shape, meaning } = readImport(
      { new_name: data.name, data: withoutReferences(data) },
      { agentTypes: CHECKS_HERE.agentTypes },
    );
    const problems = [...shape, ...meaning].slice(0, MOST_PROBLEMS);
    if (request !== undefined && problems.length === 0)
      return { given, data, problems: [], warnings: known?.lost ?? [], isOther: false };
    const texts = problems.map(({ message, details }) =>
      details === undefined ? message : `${details}: ${message}`,
    );
    return { given, problems: texts, isOther: false };
  } catch (error) {
    if (!(error instanceof StoryFilesError)) throw error;
    return { problems: error.problems.slice(0, MOST_PROBLEMS).map(problemText), isOther: false };
  }
}

/** Embedded stories of the same team are named only: they have files of their own. */
export function withoutReferences(data: JsonObject): JsonObject {
  const { send_to_stories: embedded } = data;
  if (!Array.isArray(embedded)) return data;
  const whole = embedded.filter((story) => isJsonObject(story) && Object.hasOwn(story, 'agents'));
  return whole.length === embedded.length
    ? data
    : mapValues(data, (value, key) => (key === 'send_to_stories' ? whole : value));
}

function headOf({ name, guid }: JsonObject): ComparedSides['head'] {
  return { name: typeof name === 'string' ? name : '', guid: textOrNull(guid) };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
