import { Conflict, type Problem, Unprocessable } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import { type AgentNode, startAgentOf, type StoryGraph } from '../../stories/face.js';

/** Returns the reason why an action with these options can be stored but not run; undefined if it can run. */
export type Runnable = (type: string, options: JsonObject) => string | undefined;

/** The first action of a run, or the reason why there is none. */
export type RunEntry = { agent: AgentNode; problem?: undefined } | { agent?: undefined; problem: Problem };

/**
 * Returns the first action of a manual run: the named one, else the story's entry action, else its first webhook, else
 * its first action without incoming links.
 */
export function runEntryOf(story: StoryGraph, agentId: number | undefined, runnable: Runnable): RunEntry {
  const agent = agentId === undefined ? startAgentOf(story) : story.agents.get(agentId);
  if (agent === undefined) {
    return problem(
      agentId === undefined
        ? 'The story has no action that a run can start at; set "agent_id"'
        : '"agent_id" is not an action of this story',
    );
  }
  const reason = runnable(agent.type, agent.options);
  return reason === undefined ? { agent } : problem(`The action "${agent.name}" cannot run: ${reason}`);
}

function problem(message: string): RunEntry {
  return { problem: { message, details: 'agent_id' } };
}

/** Returns the action if a run can start with it now. @throws Unprocessable, or Conflict if something is disabled. */
export function requireEntry(story: StoryGraph, { agent, problem }: RunEntry): AgentNode {
  if (agent === undefined) throw new Unprocessable([problem]);
  if (story.disabled) throw new Conflict('The story is disabled');
  if (agent.disabled) throw new Conflict(`The action "${agent.name}" is disabled`);
  return agent;
}
