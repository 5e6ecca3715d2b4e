import { TenantFrozen } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import { findEvents, type StoredEvent } from '../state/events/event-store.js';
import type { Prompt } from '../state/deliveries/prompt-store.js';
import { type AgentNode, findActionInStory, type StoryGraph, type StoryGraphs } from '../../stories/face.js';

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
