import type { Session } from '../../platform/mysql/session.js';
import { databaseNowMs } from '../activity/memory-store.js';
import type { JsonValue } from '../../platform/json.js';
import { WEBHOOK_TYPE } from '../import/import-address.js';
import type { AgentPlan } from '../import/plan/story-plan.js';
import { nextTime } from './next-time.js';
import { parseSchedule, type Schedule } from './parse-schedule.js';
import {
  deleteSchedules,
  findAgentIds,
  findSchedules,
  insertSchedules,
  isDraft,
  type PausableSchedule,
} from './schedule-store.js';

interface WantedSchedule extends Schedule {
  agentId: number;
}

/**
 * Updates the stored schedules of a story to match its agents, in the transaction that writes the agents. An unchanged
 * schedule keeps its next time, and a pause stays.
 */
export async function writeStorySchedules(
  storyId: number,
  agents: Pick<AgentPlan, 'guid' | 'type' | 'extra'>[],
  session: Session,
): Promise<void> {
  const scheduled = agents.flatMap(({ guid, type, extra }) =>
    schedulesOf(type, extra.schedule).map((schedule) => ({ ...schedule, guid })),
  );
  const ids = scheduled.length === 0 ? new Map<string, number>() : await findAgentIds(storyId, session);
  const wanted = scheduled.flatMap(({ guid, ...schedule }) => {
    const agentId = ids.get(guid);
    return agentId === undefined ? [] : [{ ...schedule, agentId }];
  });
  await settle(storyId, { stored: await findSchedules({ storyId }, session), wanted }, session);
}

/** Does the same for one agent, with its new `schedule`. */
export async function writeAgentSchedules(
  agent: { id: number; storyId: number; type: string },
  schedule: JsonValue,
  session: Session,
): Promise<void> {
  const { id: agentId, storyId } = agent;
  const wanted = schedulesOf(agent.type, schedule).map((each) => ({ ...each, agentId }));
  await settle(storyId, { stored: await findSchedules({ storyId, agentId }, session), wanted }, session);
}

/** A webhook starts with a request, so its schedule is ignored. */
function schedulesOf(type: string, schedule: JsonValue | undefined): Schedule[] {
  return type === WEBHOOK_TYPE ? [] : parseSchedule(schedule).schedules;
}

async function settle(
  storyId: number,
  { stored, wanted }: { stored: PausableSchedule[]; wanted: WantedSchedule[] },
  session: Session,
): Promise<void> {
  const storedKeys = new Set(stored.map(keyOf));
  const wantedKeys = new Set(wanted.map(keyOf));
  const stale = stored.filter((schedule) => !wantedKeys.has(keyOf(schedule)));
  const missing = wanted.filter((schedule) => !storedKeys.has(keyOf(schedule)));
  await deleteSchedules(
    stale.map(({ id }) => id),
    session,
  );
  // A draft starts by hand only: its schedules would do the work of the live story twice.
  if (missing.length === 0 || (await isDraft(storyId, session))) return;
  const now = new Date(await databaseNowMs(session));
  const pausedAt = pausesOf(stale, missing);
  const added = missing.flatMap((schedule) => {
    const nextAt = nextTime(schedule, now);
    return nextAt === undefined
      ? []
      : [{ ...schedule, storyId, nextAt, pausedAt: pausedAt.get(schedule) ?? null }];
  });
  await insertSchedules(added, session);
}

/**
 * Returns since when new schedules are paused: a change of times must not start what a person has paused. If an action gets
 * as many new schedules as go, each takes the place of one, in their order; else one pause that goes pauses all new ones.
 */
function pausesOf(
  stale: readonly PausableSchedule[],
  missing: readonly WantedSchedule[],
): Map<WantedSchedule, Date | null> {
  return new Map(
    missing.map((schedule) => {
      const isSame = ({ agentId }: WantedSchedule) => agentId === schedule.agentId;
      const [gone, added] = [stale.filter(isSame), missing.filter(isSame)];
      const paused = gone.find(({ pausedAt }) => pausedAt !== null);
      const before = gone.length === added.length ? gone[added.indexOf(schedule)] : paused;
      return [schedule, before?.pausedAt ?? null];
    }),
  );
}

function keyOf({ agentId, cron, timezone }: WantedSchedule): string {
  return `${agentId} ${cron} ${timezone}`;
}
