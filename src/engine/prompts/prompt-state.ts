import { setTimeout as sleep } from 'node:timers/promises';
import { TenantFrozen } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import { findEvents, type StoredEvent } from '../state/events/event-store.js';
import type { Prompt } from '../state/deliveries/prompt-store.js';
import { type AgentNode, findActionInStory, type StoryGraph, type StoryGraphs } from '../../stories/face.js';

/** Time to wait for an unknown link: a message may be read before the COMMIT that stores its prompts. */
const WAIT_MS = 2_000;
const POLL_MS = 100;
/** Most look-ups that wait at once; above this an unknown link is reported at once. */
const MAX_WAITING = 500;

/**
 * The state of a link. `open`: it can be used. `gone`: its run was cancelled, or its event or agent was deleted.
 * `disabled`: its story or agent is disabled; it works again once that is enabled.
 */
export type PromptState = 'open' | 'used' | 'expired' | 'gone' | 'disabled' | 'unknown';

/** A link that can be used, with the event that it emits again. */
export interface OpenPrompt {
  state: 'open';
  prompt: Prompt;
  story: StoryGraph;
  agent: AgentNode;
  event: StoredEvent;
}

/** A link with its state. */
export type JudgedPrompt = OpenPrompt | { state: Exclude<PromptState, 'open'>; prompt?: Prompt };

export interface PromptStateDeps {
  database: Pick<Database, 'read'>;
  graphs: Pick<StoryGraphs, 'find' | 'findCurrent'>;
}

/** Returns the current state of a link. `prompt`: as just loaded. @throws TenantFrozen. */
export async function judgePrompt(prompt: Prompt | undefined, deps: PromptStateDeps): Promise<JudgedPrompt> {
  if (prompt === undefined) return { state: 'unknown' };
  if (prompt.usedBy !== null) return { state: 'used', prompt };
  if (prompt.expired) return { state: 'expired', prompt };
  if (prompt.cancelled) return { state: 'gone', prompt };
  const action = await findActionInStory(prompt, deps.graphs);
  if (action === undefined) return { state: 'gone', prompt };
  const { story, agent } = action;
  if (story.frozen === true) throw new TenantFrozen();
  if (story.disabled || agent.disabled) return { state: 'disabled', prompt };
  const [event] = await deps.database.read((session) => findEvents(session, [prompt.eventId]));
  return event === undefined ? { state: 'gone', prompt } : { state: 'open', prompt, story, agent, event };
}

/** Returns a look-up that polls up to `WAIT_MS` for a prompt that is not stored yet. */
export function createWaitingFinder(
  load: (id: string) => Promise<Prompt | undefined>,
): (id: string) => Promise<Prompt | undefined> {
  let waiting = 0;
  return async (id) => {
    const found = await load(id);
    if (found !== undefined || waiting >= MAX_WAITING) return found;
    waiting += 1;
    try {
      return await poll(id, load);
    } finally {
      waiting -= 1;
    }
  };
}

async function poll(
  id: string,
  load: (id: string) => Promise<Prompt | undefined>,
): Promise<Prompt | undefined> {
  const giveUpAt = performance.now() + WAIT_MS;
  while (performance.now() < giveUpAt) {
    await sleep(POLL_MS);
    const found = await load(id);
    if (found !== undefined) return found;
  }
  return undefined;
}
