import { createBatchLoader } from '../../platform/mysql/statements/batch-loader.js';
import type { Database } from '../../platform/mysql/database.js';
import { isConnectionError } from '../../platform/mysql/db-errors.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import { insertLogLines } from '../state/events/log-store.js';
import { findPrompts, type Prompt, usePrompt } from '../state/deliveries/prompt-store.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import type { Dispatcher } from '../dispatch/adding/dispatcher.js';
import type { TenantQuotas } from '../../people/face.js';
import { isPromptId } from './prompt-id.js';
import { createDirectLoader } from '../dispatch/adding/direct-loader.js';
import { emit } from '../dispatch/adding/emission.js';
import type { StoredOutput } from '../state/outcome.js';
import {
  type JudgedPrompt,
  judgePrompt,
  type OpenPrompt,
  type PromptState,
  type PromptStateDeps,
} from './prompt-state.js';
import { createPromptFinder } from './prompt-finder.js';
import { storeOutputs, type Stored } from '../commit/store-outputs.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { mergedObjects } from '../../platform/json/ordered-object.js';

const MAX_TRIES = 2;

/** The result of a click: `done` if it used the link. */
export interface ClickResult {
  state: Exclude<PromptState, 'open'> | 'done';
  /** The answer that the link stands for; undefined for an unknown link. */
  status: string | undefined;
}

/** Clicks of readers on the prompt links of a message (notes/runs.md, Prompts). */
export interface PromptClicks {
  /**
   * Uses the link: stores the agent's event again, with the answer under `prompt.status`, and delivers it to the agent's
   * receivers. Waits up to two seconds for a link that is not stored yet.
   */
  click(id: string): Promise<ClickResult>;
  /** Returns the link's state without using it. */
  look(id: string): Promise<{ state: PromptState; status: string | undefined }>;
  /** Returns true if this server made the id; false also for old links, made before ids had check digits. */
  isOurs(id: string): Promise<boolean>;
}

export interface PromptClicksDeps extends PromptStateDeps {
  database: Database;
  /** The database's secret for ids of prompts. */
  secret(): Promise<string>;
  dispatcher: Pick<Dispatcher, 'dispatch'>;
  newGuid(): string;
  /** Counts what is stored; not counted without it. */
  usage?: Pick<TenantQuotas, 'addOfStory'>;
  /** Called with awaited runs that got a new event. */
  onAwaitedProgress(guids: string[]): void;
}

type Load = (id: string) => Promise<Prompt | undefined>;

/** Creates the clicks of one web process. */
export function createPromptClicks(deps: PromptClicksDeps): PromptClicks {
  const load: Load = createBatchLoader((ids: string[]) =>
    deps.database.read((session) => findPrompts(session, ids)),
  );
  const isOurs = async (id: string) => isPromptId(id, await deps.secret());
  const wait = createPromptFinder(load);
  // An id that this server did not make never appears later: it is loaded once, as old links have no check digits.
  const find: Load = async (id) => ((await isOurs(id)) ? wait(id) : load(id));

  return {
    isOurs,
    async look(id) {
      const judged = await judgePrompt(await find(id), deps);
      return { state: judged.state, status: judged.prompt?.status };
    },
    async click(id) {
      const judged = await judgePrompt(await find(id), deps);
      if (judged.state !== 'open') return refused(judged);
      if (await use(judged, load, deps)) return { state: 'done', status: judged.prompt.status };
      return refused(await judgePrompt(await load(id), deps));
    },
  };
}

function refused({ state, prompt }: JudgedPrompt): ClickResult {
  return { state: state === 'open' ? 'used' : state, status: prompt?.status };
}

interface Click {
  open: OpenPrompt;
  guid: string;
  outputs: StoredOutput[];
}

/** Returns true if this click used the link. If the response to COMMIT was lost, the row says so (rule 3). */
async function use(open: OpenPrompt, load: Load, deps: PromptClicksDeps): Promise<boolean> {
  const click: Click = { open, guid: deps.newGuid(), outputs: await outputsAgain(open, deps) };
  const isMine = async () => (await load(open.prompt.id))?.usedBy === click.guid;
  for (let tries = 1; ; tries++) {
    try {
      return (await store(click, deps)) || (await isMine());
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      // The relay then adds its jobs.
      if (await isMine()) return true;
      if (tries === MAX_TRIES) throw error;
    }
  }
}

/** Stores the click's event and adds its jobs. Returns false if another click was faster or the link expired. */
async function store(click: Click, deps: PromptClicksDeps): Promise<boolean> {
  const stored = await retryLockConflicts(() =>
    deps.database.transaction((session) => apply(click, session)),
  );
  if (stored === undefined) return false;
  deps.dispatcher.dispatch(stored.jobs);
  for (const { payload, origin } of click.outputs) {
    deps.usage?.addOfStory(origin.storyId, { events: 1, bytes: Buffer.byteLength(payload) });
  }
  if (click.open.prompt.awaited) deps.onAwaitedProgress([click.open.prompt.storyRunGuid]);
  return true;
}

async function apply({ open, guid, outputs }: Click, session: Session): Promise<Stored | undefined> {
  const { prompt } = open;
  if (!(await usePrompt(session, prompt.id, guid))) return undefined;
  const message = `The prompt "${prompt.status}" was used`;
  const { agentId, storyRunGuid, eventId: inboundEventId } = prompt;
  const [stored] = await storeOutputs(session, [{ outputs }]);
  await insertLogLines(session, [{ agentId, storyRunGuid, inboundEventId, level: 'info', message }]);
  return stored;
}

/** Returns the event again, for the agent's current receivers, and for the calling story if the run was called. */
function outputsAgain(open: OpenPrompt, deps: PromptClicksDeps): Promise<StoredOutput[]> {
  const { prompt, story, agent, event } = open;
  const payload = answered(parseJson(event.payload), prompt.status);
  const outgoing = { payload: stringifyJson(payload), branch: 'normal' as const };
  // The event is its own parent, so that the new event has the same lineage.
  const emitter = { delivery: prompt, story, agent, parent: event };
  return emit(emitter, [outgoing], { loader: createDirectLoader(deps.database), graphs: deps.graphs });
}

/** Adds the answer; a payload that is no object is replaced, as it cannot take a key. */
function answered(payload: JsonValue, status: string): JsonObject {
  return mergedObjects<JsonValue>(isJsonObject(payload) ? payload : {}, { prompt: { status } });
}
