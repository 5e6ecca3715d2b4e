/*
 * The floor's story, with the same hops and as many bytes as the product's (`../two-templates.ts`), but made of
 * constants: webhook → transformation → trigger.
 */
export const STORY_ID = 1;
export const WEBHOOK_ID = 1;

export const COLUMNS = {
  runs: 'guid, story_id, source',
  events: 'story_run_guid, story_id, agent_id, payload, lineage',
  deliveries: 'story_run_guid, story_id, agent_id, event_id, queue, depth, due_at',
};

export interface Hop {
  queue: string;
  agentId: number;
  depth: number;
  payload: string;
  lineage: string;
}

export const TRANSFORMATION: Hop = {
  queue: 'floor-transformation',
  agentId: 2,
  depth: 1,
  payload: '{"summary":"high on web-1.example.test","number":1234567}',
  lineage: '{"receive":12345,"shape":0}',
};
export const TRIGGER: Hop = {
  queue: 'floor-trigger',
  agentId: 3,
  depth: 2,
  payload: '{"rule_matched":true}',
  lineage: '{"receive":12345,"shape":12346,"check":0}',
};

/** A delivery's row. */
export function deliveryOf(hop: Hop, guid: string, eventId: number): unknown[] {
  return [guid, STORY_ID, hop.agentId, eventId, hop.queue, hop.depth, new Date(Date.now() + 30_000)];
}
