import { setImmediate as breathe } from 'node:timers/promises';
import { ancestry, assemblePayload, type Lineage, parseLineage } from '../../agents/face.js';
import { type TemplateLanguage, textOf } from '../../language/face.js';
import { isJsonObject, type JsonValue } from '../../platform/json.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { Session } from '../../platform/mysql/session.js';
import { inTimeSlice, TimeSliceExceeded } from '../../platform/runtime/time-limit.js';
import { hideInText, hideSecrets } from '../../platform/secrets/hidden-secrets.js';
import { jsonWithMarkers } from '../../platform/secrets/secret-reference.js';
import { TemplateError } from '../../platform/text/template-error.js';
import type { RunDetails } from '../runs/run-details.js';
import type { RunView } from '../runs/run.js';
import {
  type FirstOfRun,
  findSubjectsOfStories,
  readFirstOfRuns,
  type SubjectOfStory,
} from './run-subject-store.js';
import { shortLine, tellingText } from './telling-fields.js';

/** What a run is about; null: its first event was deleted, is too large, or tells nothing. */
export interface Subject {
  subject: string | null;
}

/** The fields of a run that its subject is made of. */
export type NamedRun = Pick<RunView, 'guid' | 'storyId' | 'firstEventId'>;

/** A run, and what it is about. */
export type RunWithSubject = RunView & Subject;

type Languages = Readonly<Record<SubjectOfStory['language'], TemplateLanguage>>;

/** Larger payloads are not read. */
const MOST_BYTES = 64 * 1024;
/** So many payloads are looked at together; after this size of all, stored ones included that are not read, no more are. */
const AT_ONCE = 25;
/** After a payload that is too large: the database reads it whole to tell its size. */
const FEW_AT_ONCE = 5;
const ALL_BYTES = 16 * 1024 * 1024;
/** Time of one template on the event loop, and of all templates of a page. */
const TEMPLATE_MS = 10;
const PAGE_MS = 250;
const MOST_CHARACTERS = 160;

export type RunSubjects = ReturnType<typeof createRunSubjects>;

/** Tells what runs are about: by the template of their story, or else by telling fields of their first event. */
export function createRunSubjects({ languages }: { languages: Languages }) {
  return {
    /** Returns the runs of a page, each with what it is about. */
    async of<Run extends NamedRun>(session: Session, runs: readonly Run[]): Promise<(Run & Subject)[]> {
      const firsts = await readFirsts(session, runs);
      const storyIds = [...new Set(runs.map(({ storyId }) => storyId))];
      const stories = firsts.size === 0 ? new Map() : await findSubjectsOfStories(session, storyIds);
      const render = createRenderer(languages);
      const named: (Run & Subject)[] = [];
      for (const run of runs) {
        const first = firsts.get(run.firstEventId ?? 0);
        const subject =
          first === undefined ? null : subjectOf(first, { run, story: stories.get(run.storyId), render });
        named.push({ ...run, subject });
        if (first !== undefined) await breathe();
      }
      return named;
    },

    /** Returns what a run of the archive is about. */
    async ofArchived(session: Session, run: RunDetails): Promise<string | null> {
      const { first, storyId } = run;
      if (first === undefined || !isFirst(first.lineage)) return null;
      const story = (await findSubjectsOfStories(session, [storyId])).get(storyId);
      return told(first, { run, story, render: createRenderer(languages) });
    },
  };
}

/** Reads the first events some at a time, until enough was read: a page may be of large ones. */
async function readFirsts(session: Session, runs: readonly NamedRun[]): Promise<Map<number, FirstOfRun>> {
  const ids = runs.flatMap(({ firstEventId }) => firstEventId ?? []);
  const found = new Map<number, FirstOfRun>();
  let bytes = 0;
  for (let at = 0, size = AT_ONCE; at < ids.length && bytes < ALL_BYTES; ) {
    const some = ids.slice(at, at + size);
    at += size;
    for (const first of await readFirstOfRuns(session, some, MOST_BYTES)) {
      if (first.bytes > MOST_BYTES) size = FEW_AT_ONCE;
      bytes += first.bytes;
      found.set(first.id, first);
    }
  }
  return found;
}

type Render = (template: SubjectOfStory, scope: { event: JsonValue; guid: string }) => string | undefined;

interface OfRun {
  run: Pick<RunView, 'guid'>;
  story: SubjectOfStory | undefined;
  render: Render;
}

function subjectOf({ id, payload, lineage: text }: FirstOfRun, of: OfRun): string | null {
  const lineage = parseLineage(text);
  // Retention may have deleted the first event, and left later ones.
  if (payload === null || !isFirst(lineage)) return null;
  return told({ id, lineage, payload: parseJson(jsonWithMarkers(payload)) }, of);
}

function told(
  { id, lineage, payload: value }: NonNullable<RunDetails['first']>,
  { run, story, render }: OfRun,
): string | null {
  if (story === undefined || story.template === null) return toldBy(value);
  const event = assemblePayload(ancestry(id, lineage).map(([slug]) => [slug, value]));
  const rendered = render(story, { event: hideSecrets(event, { headers: true }), guid: run.guid });
  return rendered === undefined || rendered === '' ? toldBy(value) : rendered;
}

/** Whether an event follows no other. */
const isFirst = (lineage: Lineage) => Object.values(lineage).every((id) => id === 0);

function toldBy(payload: JsonValue): string | null {
  const text = payload === null ? null : tellingText(payload);
  return text === null ? null : hideInText(shortLine(text, MOST_CHARACTERS));
}

/** Returns a function that renders templates of one page as long as there is time: undefined for a fault, and without time. */
function createRenderer(languages: Languages): Render {
  const endsAt = performance.now() + PAGE_MS;
  const slow = new Set<string>();
  return ({ language, template }, { event, guid }) => {
    if (template === null || slow.has(template) || performance.now() > endsAt) return undefined;
    const scope = {
      event: isJsonObject(event) ? event : {},
      resources: new Map(),
      credentials: new Map(),
      stories: new Map(),
      meta: { story_run: { guid } },
      storyRunGuid: guid,
    };
    try {
      const value = inTimeSlice(TEMPLATE_MS, () => languages[language].render(template, scope));
      return hideInText(shortLine(textOf(value), MOST_CHARACTERS));
    } catch (error) {
      if (error instanceof TimeSliceExceeded) slow.add(template);
      else if (!(error instanceof TemplateError)) throw error;
      return undefined;
    }
  };
}
