import { type OutputBranch, type DeliveryQueue, findAgentType } from '../../../agents/face.js';
import type { AgentNode, LinkKind, StoryGraph } from '../../../stories/face.js';
import type { Receiver } from '../../state/outcome.js';

/** The links that an event follows: those of its agent's output, or `failure` for the error of an agent that failed. */
export type EventBranch = OutputBranch | 'failure';

/**
 * Returns the receivers of an event of `agent` on `branch`. A disabled receiver gets no new deliveries: the branch ends
 * there (spec §3.7).
 */
export function receiversOf(story: StoryGraph, agent: AgentNode, branch: EventBranch): Receiver[] {
  return agent.receivers.flatMap((link) => {
    if (!follows(branch, link.kind)) return [];
    const receiver = story.agents.get(link.agentId);
    if (receiver === undefined || receiver.disabled) return [];
    return [{ agentId: receiver.id, queue: queueOf(receiver.type) }];
  });
}

/** Returns the disabled receivers that an event on `branch` does not reach, for the log. */
export function disabledReceiversOf(story: StoryGraph, agent: AgentNode, branch: OutputBranch): AgentNode[] {
  return agent.receivers.flatMap((link) => {
    if (!follows(branch, link.kind)) return [];
    const receiver = story.agents.get(link.agentId);
    return receiver?.disabled === true ? [receiver] : [];
  });
}

/** `all` means every link of an ordinary event: an error goes down the failure links only, and nothing else does. */
function follows(branch: EventBranch, kind: LinkKind): boolean {
  return branch === 'all' ? kind !== 'failure' : kind === branch;
}

/** Returns the queue of an agent type. A type that does not run here gets one too, so that a worker reports the error. */
function queueOf(type: string): DeliveryQueue {
  return findAgentType(type)?.queue ?? 'event-transformation';
}
