import { type Branch } from '../../agents/agent.js';
import { findAgentType } from '../../agents/index.js';
import type { DeliveryQueue } from '../../agents/delivery-queues.js';
import type { AgentNode, StoryGraph } from '../../stories/story-graph.js';
import type { Receiver } from '../state/outcome.js';

/**
 * Who gets an event of `agent` that goes down `branch`. A disabled receiver gets no new deliveries: the
 * branch ends there (spec §3.7).
 */
export function receiversOf(story: StoryGraph, agent: AgentNode, branch: Branch): Receiver[] {
  return agent.receivers.flatMap((link) => {
    if (branch !== 'all' && link.secondary !== (branch === 'secondary')) return [];
    const receiver = story.agents.get(link.agentId);
    if (receiver === undefined || receiver.disabled) return [];
    return [{ agentId: receiver.id, queue: queueOf(receiver.type) }];
  });
}

/** The disabled receivers that an event down `branch` does not reach; each is worth a line in the log. */
export function disabledReceiversOf(story: StoryGraph, agent: AgentNode, branch: Branch): AgentNode[] {
  return agent.receivers.flatMap((link) => {
    if (branch !== 'all' && link.secondary !== (branch === 'secondary')) return [];
    const receiver = story.agents.get(link.agentId);
    return receiver?.disabled === true ? [receiver] : [];
  });
}

/** Events for a type that does not run here fail with a clear message; some worker has to say so. */
function queueOf(type: string): DeliveryQueue {
  return findAgentType(type)?.queue ?? 'event-transformation';
}
