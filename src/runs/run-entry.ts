import { Conflict, type Problem, Unprocessable } from '../platform/errors.js';
import type { JsonObject } from '../platform/json.js';
import { startAgentOf } from '../stories/start-agent.js';
import type { AgentNode, StoryGraph } from '../stories/story-graph.js';

/** Why an action with these options can be stored but not run; undefined when it can run. */
export type Runnable = (type: string, options: JsonObject) => string | undefined;

/** The action that a run begins at, or why there is none. */
export type Entry = { agent: AgentNode; problem?: undefined } | { agent?: undefined; problem: Problem };

/**
 * The action a manual run begins at: the one that is named, else the story's entry action, else its first webhook, else
 * its first action that nothing leads to.
 */
export function entryOf(story: StoryGraph, agentId: number | undefined, runnable: Runnable): Entry {
  const agent = agentId === undefined ? startAgentOf(story) : story.agents.get(agentId);
  if (agent === undefined) {
    return problem(
      agentId === undefined
        ? 'The story has no action that a run could begin at; name one as "agent_id"'
        : '"agent_id" is no action of this story',
    );
  }
  const reason = runnable(agent.type, agent.options);
  return reason === undefined ? { agent } : problem(`The action "${agent.name}" does not run: ${reason}`);
}

function problem(message: string): Entry {
  return { problem: { message, details: 'agent_id' } };
}

/** The action, when a run can begin there now. @throws Unprocessable, or Conflict when something is disabled. */
export function requireEntry(story: StoryGraph, { agent, problem }: Entry): AgentNode {
  if (agent === undefined) throw new Unprocessable([problem]);
  if (story.disabled) throw new Conflict('The story is disabled');
  if (agent.disabled) throw new Conflict(`The action "${agent.name}" is disabled`);
  return agent;
}
