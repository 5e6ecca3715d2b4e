import { findAgentType } from '../../agents/face.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Session } from '../../platform/mysql/session.js';
import { messageOf } from '../../platform/errors.js';
import type { LiveEvents } from '../../api/face.js';
import { insertStarts, type NewStart } from '../state/runs/start-store.js';
import type { RunMeter } from '../state/runs/run-store.js';
import type { Logger } from '../../platform/logger.js';
import { repeated } from '../../platform/runtime/background-loop.js';
import type { Dispatcher } from '../dispatch/adding/dispatcher.js';
import type { JobRef } from '../state/deliveries/delivery-job.js';
import type { TenantQuotas } from '../../people/face.js';
import {
  ANY_SCHEDULE_DUE,
  deleteSchedules,
  type DueSchedule,
  findScheduledAgents,
  lockDueSchedules,
  moveSchedules,
  nextTime,
  type ScheduledAgent,
  type SkipReason,
} from '../../stories/face.js';

/** Schedules of one pass; with the pause below this bounds the rate. */
const BATCH = 200;
const PAUSE_WHEN_BUSY_MS = 50;
const PAUSE_MS = 1_000;
const PAUSE_AFTER_ERROR_MS = 2_000;
/** A time missed by more than this, because no process ran, starts no run (rule 14). */
const MAX_LATE_MS = 10 * 60 * 1000;
/** Pause before a schedule without a next time is checked again: the list of time zones may have been updated. */
const LOOK_AGAIN_MS = 24 * 60 * 60 * 1000;
/** The input of a scheduled run. */
const NO_INPUT = '{}';

export interface SchedulerDeps {
  database: Pick<Database, 'facts' | 'exists' | 'transaction'>;
  dispatcher: Pick<Dispatcher, 'dispatch'>;
  newRunGuid(): string;
  logger: Logger;
  quotas: Pick<TenantQuotas, 'arrivalRefusal' | 'addOfStory'>;
  /** Counts runs; absent: they are not counted. */
  meter?: RunMeter | undefined;
  /** Optional: receives each started run. */
  liveEvents?: Pick<LiveEvents, 'runsStarted'>;
}

/**
 * Starts runs at the times of schedules, once each over any number of processes (rule 14). It polls the database instead
 * of using jobs, so that it does not need Redis.
 */
export interface Scheduler {
  /** Runs one pass; returns the number of due schedules. */
  tick(): Promise<number>;
  /** Repeats passes until `signal` is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

export function createScheduler(deps: SchedulerDeps): Scheduler {
  const tick = async () => {
    if (!(await deps.database.exists(ANY_SCHEDULE_DUE))) return 0;
    const { due, missed, refused, starts, jobs } = await deps.database.transaction((session) =>
      pass(session, deps),
    );
    if (missed.length > 0) {
      deps.logger.warn('schedules skipped starts because no process was running', { agent_ids: missed });
    }
    if (refused.length > 0) {
      const message = 'schedules skipped starts because the quotas of their tenants are used up';
      deps.logger.warn(message, { agent_ids: refused });
    }
    for (const { storyId } of jobs) deps.quotas.addOfStory(storyId, { events: 1, bytes: NO_INPUT.length });
    if (jobs.length > 0) deps.meter?.started('schedule', jobs.length);
    deps.dispatcher.dispatch(jobs);
    deps.liveEvents?.runsStarted(starts);
    return due;
  };

  return repeated({
    tick,
    pauseAfter: (due: number) => (due >= BATCH ? PAUSE_WHEN_BUSY_MS : PAUSE_MS),
    restAfterErrorMs: PAUSE_AFTER_ERROR_MS,
    failure: 'checking schedules failed',
    logger: deps.logger,
  });
}

/**
 * Moves due schedules to their next time and stores their runs, both or neither. If the response to COMMIT is lost, either
 * the schedule has moved, and the relay adds the job, or it is still due.
 */
async function pass(session: Session, deps: SchedulerDeps): Promise<Passed> {
  const due = await lockDueSchedules(BATCH, session);
  if (due.length === 0) return { due: 0, missed: [], refused: [], starts: [], jobs: [] };
  const agentIds = due.map(({ agentId }) => agentId);
  const agents = await findScheduledAgents(agentIds, session);
  const gone = due.filter(({ agentId }) => !agents.has(agentId)).map(({ id }) => id);
  await deleteSchedules(gone, session);
  const ticks = due.flatMap((schedule) => {
    const agent = agents.get(schedule.agentId);
    return agent === undefined ? [] : [tickOf(schedule, agent, deps)];
  });
  const moved = await moveSchedules(ticks, session);
  // The rows are locked, so this cannot happen; a start without its move could start a run twice.
  if (moved !== ticks.length)
    throw new Error(`${moved} of ${ticks.length} schedules were moved to their next time`);
  const starts = ticks.flatMap(({ runGuid, schedule }) =>
    runGuid === undefined ? [] : [startOf(schedule, runGuid)],
  );
  const agentsOf = (reason: SkipReason) =>
    ticks.filter(({ skipped }) => skipped === reason).map(({ schedule }) => schedule.agentId);
  const jobs = await insertStarts(session, starts);
  return { due: due.length, missed: agentsOf('late'), refused: agentsOf('quota'), starts, jobs };
}

interface Passed {
  due: number;
  /** Agents whose schedules were too late to start a run. */
  missed: number[];
  /** Agents whose tenants may start no more runs today. */
  refused: number[];
  starts: NewStart[];
  /** The jobs of the started runs. */
  jobs: JobRef[];
}

/** Returns a due schedule's next time, and the guid of the run that it starts, if it starts one. */
function tickOf(
  schedule: DueSchedule,
  agent: ScheduledAgent,
  { logger, quotas, newRunGuid }: Pick<SchedulerDeps, 'logger' | 'quotas' | 'newRunGuid'>,
) {
  const { id, nextAt: from, now } = schedule;
  const to = nextOf(schedule, logger);
  const late = now.getTime() - from.getTime() > MAX_LATE_MS;
  const wanted =
    !agent.disabled && !schedule.isPaused && to !== undefined && findAgentType(agent.type) !== undefined;
  const missed = wanted && late;
  const refused = wanted && !late && quotas.arrivalRefusal(agent.tenantId) !== undefined;
  const next = to ?? new Date(now.getTime() + LOOK_AGAIN_MS);
  const runGuid = wanted && !missed && !refused ? newRunGuid() : undefined;
  const skipped = missed ? 'late' : refused ? 'quota' : undefined;
  return { id, from, to: next, runGuid, skipped, schedule } as const;
}

/** Returns the schedule's next time after now: missed times are skipped; undefined if there is none. */
function nextOf(schedule: DueSchedule, logger: Logger): Date | undefined {
  try {
    return nextTime(schedule, schedule.now);
  } catch (error) {
    const { agentId, cron, timezone } = schedule;
    logger.warn('a schedule has no next start', {
      agent_id: agentId,
      cron,
      timezone,
      error: messageOf(error),
    });
    return undefined;
  }
}

function startOf({ storyId, agentId }: DueSchedule, guid: string): NewStart {
  return { guid, storyId, agentId, source: 'schedule', input: NO_INPUT };
}
