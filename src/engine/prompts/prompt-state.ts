import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/mysql/database.js';
import { findEvents, type StoredEvent } from '../state/event-store.js';
import type { Prompt } from '../state/prompt-store.js';
import type { AgentNode, StoryGraph } from '../../stories/story-graph.js';
import { findAction } from '../../stories/find-action.js';
import type { StoryGraphs } from '../../stories/story-graphs.js';

/** A message may be read before the COMMIT that stores its prompts. */
const WAIT_MS = 2_000;
const POLL_MS = 100;
/** Look-ups that wait at once; beyond it an unknown link is unknown right away. */
const MAX_WAITING = 500;

/**
 * What a link is good for. `open`: it can be used. `gone`: its run was cancelled, or the event or the action is no
 * longer there. `disabled`: the story or the action is; it can be used when that is enabled again.
 */
export type PromptState = 'open' | 'used' | 'expired' | 'gone' | 'disabled' | 'unknown';

/** A link that can be used, with what it gives once more. */
export interface OpenPrompt {
  state: 'open';
  prompt: Prompt;
  story: StoryGraph;
  agent: AgentNode;
  event: StoredEvent;
}

/** A link, and what it is good for. */
export type JudgedPrompt = OpenPrompt | { state: Exclude<PromptState, 'open'>; prompt?: Prompt };

export interface PromptStateDeps {
  database: Pick<Database, 'read'>;
  graphs: Pick<StoryGraphs, 'find' | 'findCurrent'>;
}

/** What the link of a prompt is good for now. `prompt`: as it was just read. */
export async function judgePrompt(prompt: Prompt | undefined, deps: PromptStateDeps): Promise<JudgedPrompt> {
  if (prompt === undefined) return { state: 'unknown' };
  if (prompt.usedBy !== null) return { state: 'used', prompt };
  if (prompt.expired) return { state: 'expired', prompt };
  if (prompt.cancelled) return { state: 'gone', prompt };
  const action = await findAction(prompt, deps.graphs);
  if (action === undefined) return { state: 'gone', prompt };
  const { story, agent } = action;
  if (story.disabled || agent.disabled) return { state: 'disabled', prompt };
  const [event] = await deps.database.read((session) => findEvents(session, [prompt.eventId]));
  return event === undefined ? { state: 'gone', prompt } : { state: 'open', prompt, story, agent, event };
}

/** Look-ups of prompts that give one that is not there yet a moment to come. */
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
