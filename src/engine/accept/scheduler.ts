import { findAgentType } from '../../agents/index.js';
import type { Database } from '../../platform/mysql/database.js';
import { runScript } from '../../platform/mysql/statement-batch.js';
import type { Session } from '../../platform/mysql/session.js';
import { messageOf } from '../../platform/errors.js';
import { insertStarts, type NewStart } from '../state/start-store.js';
import type { Logger } from '../../platform/logger.js';
import { loopUntil } from '../../platform/runtime/background-loop.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import type { JobRef } from '../state/delivery-job.js';
import type { TenantQuotas } from '../../access/quotas/tenant-quotas.js';
import {
  type DueSchedule,
  findScheduledAgents,
  lockDueSchedules,
  moveSchedules,
  type ScheduledAgent,
} from '../../stories/schedules/due-schedule-store.js';
import { nextTime } from '../../stories/schedules/next-time.js';
import { deleteSchedules } from '../../stories/schedules/schedule-store.js';

/** Schedules taken at once; with the pause below this bounds the rate. */
const BATCH = 200;
const PAUSE_WHEN_BUSY_MS = 50;
const PAUSE_MS = 1_000;
const PAUSE_AFTER_ERROR_MS = 2_000;
/** A time that was missed by more than this, because nothing ran, passes without a start (rule 14). */
const MAX_LATE_MS = 10 * 60 * 1000;
/** When a schedule that has no next time is looked at again: the server's list of time zones may be a newer one then. */
const LOOK_AGAIN_MS = 24 * 60 * 60 * 1000;
/** What a run begins with that nobody called. */
const NO_INPUT = '{}';

export interface SchedulerDeps {
  database: Pick<Database, 'facts' | 'transaction'>;
  dispatcher: Pick<Dispatcher, 'dispatch'>;
  newRunGuid(): string;
  logger: Logger;
  quotas: Pick<TenantQuotas, 'arrivalRefusal' | 'addOfStory'>;
}

/**
 * Starts runs at the times of schedules, once each over any number of processes (rule 14). A loop over the database, not
 * a job: it must not need Redis to start.
 */
export interface Scheduler {
  /** Looks once; gives how many schedules were due. */
  tick(): Promise<number>;
  /** Looks again and again until `signal` ends. */
  run(signal: AbortSignal): Promise<void>;
}

export function createScheduler(deps: SchedulerDeps): Scheduler {
  const tick = async () => {
    const { due, missed, refused, jobs } = await deps.database.transaction((session) => pass(session, deps));
    if (missed > 0) deps.logger.info('times of schedules were missed, because nothing ran', { missed });
    if (refused.length > 0) {
      const message =
        'times of schedules passed without a run, because the quotas of their tenants are used up';
      deps.logger.warn(message, { agentIds: refused });
    }
    for (const { storyId } of jobs) deps.quotas.addOfStory(storyId, { events: 1, bytes: NO_INPUT.length });
    deps.dispatcher.dispatch(jobs);
    return due;
  };

  return {
    tick,
    run: (signal) =>
      loopUntil(signal, {
        pass: async () => ((await tick()) >= BATCH ? PAUSE_WHEN_BUSY_MS : PAUSE_MS),
        restAfterErrorMs: PAUSE_AFTER_ERROR_MS,
        failure: 'schedules could not be looked at',
        logger: deps.logger,
      }),
  };
}

/**
 * Lets what is due pass: the next time and the run, or neither. When the answer to COMMIT gets lost, the schedule has
 * either moved on, and the relay sees to the job, or it is still due.
 */
async function pass(session: Session, deps: SchedulerDeps): Promise<Passed> {
  const due = await lockDueSchedules(BATCH, session);
  if (due.length === 0) return { due: 0, missed: 0, refused: [], jobs: [] };
  const agentIds = due.map(({ agentId }) => agentId);
  const agents = await findScheduledAgents(agentIds, session);
  const gone = due.filter(({ agentId }) => !agents.has(agentId)).map(({ id }) => id);
  await deleteSchedules(gone, session);
  const ticks = due.flatMap((schedule) => {
    const agent = agents.get(schedule.agentId);
    return agent === undefined ? [] : [tickOf(schedule, agent, deps)];
  });
  const moved = await moveSchedules(ticks, session);
  // They are locked, so this cannot be; but a start without it could be a second one.
  if (moved !== ticks.length) throw new Error(`${moved} of ${ticks.length} schedules could be moved on`);
  const starts = ticks.flatMap(({ started, schedule }) => (started ? [startOf(schedule, deps)] : []));
  const missed = ticks.filter(({ late }) => late).length;
  const jobs = await runScript(session, {}, (script) => insertStarts(script, starts));
  const refused = ticks.filter((tick) => tick.refused).map(({ schedule }) => schedule.agentId);
  return { due: due.length, missed, refused, jobs };
}

interface Passed {
  due: number;
  /** Those that were too late to start anything. */
  missed: number;
  /** The agents of those whose tenants may begin no more runs today. */
  refused: number[];
  /** Of the runs that were started. */
  jobs: JobRef[];
}

/** What becomes of a schedule now that its time has come. */
function tickOf(
  schedule: DueSchedule,
  agent: ScheduledAgent,
  { logger, quotas }: Pick<SchedulerDeps, 'logger' | 'quotas'>,
) {
  const { id, nextAt: from, now } = schedule;
  const to = nextOf(schedule, logger);
  const late = now.getTime() - from.getTime() > MAX_LATE_MS;
  const wanted = !agent.disabled && !late && to !== undefined && findAgentType(agent.type) !== undefined;
  const refused = wanted && quotas.arrivalRefusal(agent.tenantId) !== undefined;
  const next = to ?? new Date(now.getTime() + LOOK_AGAIN_MS);
  return { id, from, to: next, started: wanted && !refused, late, refused, schedule };
}

/** The times that were missed meanwhile are left out. */
function nextOf(schedule: DueSchedule, logger: Logger): Date | undefined {
  try {
    return nextTime(schedule, schedule.now);
  } catch (error) {
    const { agentId, cron, timezone } = schedule;
    logger.warn('a schedule cannot be followed', { agentId, cron, timezone, error: messageOf(error) });
    return undefined;
  }
}

function startOf({ storyId, agentId }: DueSchedule, deps: SchedulerDeps): NewStart {
  return { guid: deps.newRunGuid(), storyId, agentId, source: 'schedule', input: NO_INPUT };
}
