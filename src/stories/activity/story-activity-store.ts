import { MAX_COUNT } from '../../platform/mysql/statements/id-page.js';
import type { Session } from '../../platform/mysql/session.js';

/** The work that waits in a story, and the work that failed for good. */
export interface StoryActivity {
  /** Deliveries that have not been done yet. */
  pendingActionRuns: number;
  /** Runs with at least one of them. */
  concurrentRuns: number;
  /** Actions with a dead letter. */
  notWorkingActions: number;
  /** The kinds of enabled actions that start its runs. */
  startsBy: StartKind[];
}

/** The ways in which runs of a story start without a person. */
export type StartKind = 'webhook' | 'schedule';

export const NO_ACTIVITY: StoryActivity = {
  pendingActionRuns: 0,
  concurrentRuns: 0,
  notWorkingActions: 0,
  startsBy: [],
};

/**
 * Deliveries have no index by story, which every hop would pay for. So these statements walk the index by state, and at
 * most the first `MAX_COUNT` deliveries of the server.
 */
const FIRST = (columns: string, states: string) =>
  `(SELECT ${columns} FROM deliveries FORCE INDEX (deliveries_due) WHERE state IN (${states}) LIMIT ${MAX_COUNT}) d`;
const OPEN = "'pending', 'waiting', 'held', 'parked'";

/** Returns the activity of each story that has any, or that something starts, by story id. */
export async function countActivity(
  storyIds: number[],
  session: Session,
): Promise<Map<number, StoryActivity>> {
  if (storyIds.length === 0) return new Map();
  const open = await session.rows<{ storyId: number; deliveries: number; runs: number }>(
    `SELECT story_id AS storyId, COUNT(*) AS deliveries, COUNT(DISTINCT story_run_guid) AS runs
     FROM ${FIRST('story_id, story_run_guid', OPEN)} WHERE story_id IN (?) GROUP BY story_id`,
    [storyIds],
  );
  const failed = await session.rows<{ storyId: number; actions: number }>(
    `SELECT story_id AS storyId, COUNT(DISTINCT agent_id) AS actions
     FROM ${FIRST('story_id, agent_id', "'failed'")} WHERE story_id IN (?) GROUP BY story_id`,
    [storyIds],
  );
  const activity = new Map<number, StoryActivity>();
  for (const { storyId, deliveries, runs } of open) {
    activity.set(storyId, { ...NO_ACTIVITY, pendingActionRuns: deliveries, concurrentRuns: runs });
  }
  for (const { storyId, actions } of failed) {
    activity.set(storyId, { ...(activity.get(storyId) ?? NO_ACTIVITY), notWorkingActions: actions });
  }
  for (const [storyId, startsBy] of await findStarts(storyIds, session)) {
    activity.set(storyId, { ...(activity.get(storyId) ?? NO_ACTIVITY), startsBy });
  }
  return activity;
}

async function findStarts(storyIds: number[], session: Session): Promise<[number, StartKind[]][]> {
  const rows = await session.rows<{ storyId: number; webhooks: number; schedules: number }>(
    `SELECT a.story_id AS storyId, COUNT(a.webhook_path) AS webhooks, COUNT(p.id) AS schedules
     FROM agents a LEFT JOIN schedules p ON p.agent_id = a.id AND p.paused_at IS NULL
     WHERE a.story_id IN (?) AND a.disabled = 0 GROUP BY a.story_id`,
    [storyIds],
  );
  return rows.map(({ storyId, webhooks, schedules }) => [
    storyId,
    [...(webhooks > 0 ? (['webhook'] as const) : []), ...(schedules > 0 ? (['schedule'] as const) : [])],
  ]);
}

/** The work that waits for an agent, and whether some failed for good. */
export interface AgentWork {
  pendingRuns: number;
  notWorking: boolean;
}

/** Returns the work of each of these agents, by id. */
export async function countAgentWork(
  agentIds: readonly number[],
  session: Session,
): Promise<Map<number, AgentWork>> {
  if (agentIds.length === 0) return new Map();
  const open = await session.rows<{ agentId: number; deliveries: number }>(
    `SELECT agent_id AS agentId, COUNT(*) AS deliveries
     FROM ${FIRST('agent_id', OPEN)} WHERE agent_id IN (?) GROUP BY agent_id`,
    [[...agentIds]],
  );
  const failed = await session.rows<{ agentId: number }>(
    `SELECT DISTINCT agent_id AS agentId FROM ${FIRST('agent_id', "'failed'")} WHERE agent_id IN (?)`,
    [[...agentIds]],
  );
  const waiting = new Map(open.map(({ agentId, deliveries }) => [agentId, deliveries]));
  const broken = new Set(failed.map(({ agentId }) => agentId));
  return new Map(
    agentIds.map((id) => [id, { pendingRuns: waiting.get(id) ?? 0, notWorking: broken.has(id) }]),
  );
}

/** Returns the number of open deliveries of each action of the story that has any, by agent id. */
export async function countPendingByAgent(storyId: number, session: Session): Promise<Map<number, number>> {
  const rows = await session.rows<{ agentId: number; deliveries: number }>(
    `SELECT agent_id AS agentId, COUNT(*) AS deliveries
     FROM ${FIRST('story_id, agent_id', OPEN)} WHERE story_id = ? GROUP BY agent_id`,
    [storyId],
  );
  return new Map(rows.map(({ agentId, deliveries }) => [agentId, deliveries]));
}
