import { timestamp } from '../platform/text/timestamp.js';
import type { AgentRecord } from './agent-store.js';

/** An agent of a story. Options are presented as stored, with a webhook's path and secret (spec §3.5). */
export function presentAgent(agent: AgentRecord) {
  return {
    id: agent.id,
    story_id: agent.storyId,
    team_id: agent.teamId,
    type: agent.type,
    name: agent.name,
    guid: agent.guid,
    disabled: agent.disabled,
    options: agent.options,
    schedule: agent.extra.schedule ?? null,
    keep_events_for: agent.keepEventsForSeconds,
    sources: agent.sourceIds,
    receivers: agent.receiverIds,
    created_at: timestamp(agent.createdAt),
    updated_at: timestamp(agent.updatedAt),
  };
}
