import { createBatchLoader } from '../../platform/mysql/batch-loader.js';
import type { Database } from '../../platform/mysql/database.js';
import { isConnectionError } from '../../platform/mysql/db-errors.js';
import { retryLockConflicts } from '../../platform/mysql/retry-conflicts.js';
import { runScript } from '../../platform/mysql/statement-batch.js';
import type { Session } from '../../platform/mysql/session.js';
import { insertLogLines } from '../state/log-store.js';
import { findPrompts, type Prompt, usePrompt } from '../state/prompt-store.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import type { TenantQuotas } from '../../access/quotas/tenant-quotas.js';
import { isPromptId } from './prompt-id.js';
import { createDirectLoader } from '../dispatch/direct-loader.js';
import { emit } from '../dispatch/emission.js';
import type { StoredOutput } from '../state/outcome.js';
import {
  createWaitingFinder,
  type JudgedPrompt,
  judgePrompt,
  type OpenPrompt,
  type PromptState,
  type PromptStateDeps,
} from './prompt-state.js';
import { storeOutputs, type Stored } from '../commit/store-outputs.js';

const MAX_TRIES = 2;

/** What came of a click: `done` for the one that used the link. */
export interface ClickResult {
  state: Exclude<PromptState, 'open'> | 'done';
  /** The answer that the link stands for; undefined when it is not known. */
  status: string | undefined;
}

/** Links in messages, as their readers use them (decision 0009). */
export interface PromptClicks {
  /**
   * Uses the link: the action's event is stored once more, with the answer under `prompt.status`, and goes to the
   * action's receivers. A link that is not there yet is waited for, up to two seconds.
   */
  click(id: string): Promise<ClickResult>;
  /** What the link is good for; uses nothing. */
  look(id: string): Promise<{ state: PromptState; status: string | undefined }>;
  /** Whether the id is one that this product makes; links from before it had a check are not known as such. */
  isOurs(id: string): Promise<boolean>;
}

export interface PromptClicksDeps extends PromptStateDeps {
  database: Database;
  /** Of this database; ids of prompts are made with it. */
  secret(): Promise<string>;
  dispatcher: Pick<Dispatcher, 'dispatch'>;
  newGuid(): string;
  /** Told what is stored; nobody is unless given. */
  usage?: Pick<TenantQuotas, 'addOfStory'>;
  /** Told about awaited runs that went on. */
  onAwaitedProgress(guids: string[]): void;
}

type Load = (id: string) => Promise<Prompt | undefined>;

/** Creates the clicks of one web process. */
export function createPromptClicks(deps: PromptClicksDeps): PromptClicks {
  const load: Load = createBatchLoader((ids: string[]) =>
    deps.database.read((session) => findPrompts(session, ids)),
  );
  const isOurs = async (id: string) => isPromptId(id, await deps.secret());
  const wait = createWaitingFinder(load);
  // What is no link of ours will not come: it is looked up once, for links of before ids had a check.
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

/** Whether this very click used the link. After a lost answer to COMMIT the row says so (rule 3). */
async function use(open: OpenPrompt, load: Load, deps: PromptClicksDeps): Promise<boolean> {
  const click: Click = { open, guid: deps.newGuid(), outputs: await outputsAgain(open, deps) };
  const isMine = async () => (await load(open.prompt.id))?.usedBy === click.guid;
  for (let tries = 1; ; tries++) {
    try {
      return (await store(click, deps)) || (await isMine());
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      // Its jobs are then found by the relay.
      if (await isMine()) return true;
      if (tries === MAX_TRIES) throw error;
    }
  }
}

/** Stores what the click comes to, and sees to its jobs; false when somebody was faster, or the time was over. */
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
  const [stored] = await runScript(session, {}, (script) => {
    const storing = storeOutputs(script, [{ outputs }]);
    insertLogLines(script, [{ agentId, storyRunGuid, inboundEventId, level: 'info', message }]);
    return storing.stored;
  });
  return stored;
}

/** The event once more, for those who receive the action's events now, and upwards where the story was called. */
function outputsAgain(open: OpenPrompt, deps: PromptClicksDeps): Promise<StoredOutput[]> {
  const { prompt, story, agent, event } = open;
  const payload = answered(JSON.parse(event.payload) as JsonValue, prompt.status);
  const outgoing = { payload: JSON.stringify(payload), branch: 'normal' as const };
  // The event is its own parent: the new one knows the same past.
  const emitter = { delivery: prompt, story, agent, parent: event };
  return emit(emitter, [outgoing], { loader: createDirectLoader(deps.database), graphs: deps.graphs });
}

/** What is no object has no keys to go beside. */
function answered(payload: JsonValue, status: string): JsonObject {
  return { ...(isJsonObject(payload) ? payload : {}), prompt: { status } };
}
