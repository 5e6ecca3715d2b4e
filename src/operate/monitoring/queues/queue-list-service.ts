import { type Actor, requireTeam, visibleTeamIds } from '../../../api/face.js';
import { createOperatorCheck } from '../../../people/face.js';
import {
  type QueueFigures,
  type QueueMinutes,
  type QueueName,
  QUEUES,
  type Queues,
  type LiveQueueWorkers,
  type QueueHealth,
  type ReadQueueHealth,
  readQueueFigures,
  readQueueMinutes,
  readQueueWorkers,
} from '../../../engine/face.js';
import type { Database } from '../../../platform/mysql/database.js';
import type { RedisClient } from '../../../platform/redis/redis-client.js';
import { memoizeFor } from '../../../platform/runtime/memoize.js';
import { withTimeout } from '../../../platform/runtime/timeout.js';
import { SHARED_MS } from '../shared-by-scope.js';
import type { CountWork } from './counted-work.js';
import type { WorkCount } from './queue-work-store.js';

/** The jobs of a queue in Redis, of all tenants. */
export interface QueueJobs extends Omit<QueueFigures, 'queue'>, LiveQueueWorkers, QueueMinutes {}

/** The queues as one caller may see them. Null: not for this caller, or it could not be read. */
export interface QueueList {
  checkedAt: Date;
  queues: { name: QueueName; jobs: QueueJobs | null; work: WorkCount[] | null; state: QueueHealth | null }[];
  /** When the work was counted. */
  countedAt: Date | null;
}

export interface QueueListDeps {
  database: Pick<Database, 'read'>;
  redis: RedisClient;
  queues: Queues;
  /** The last count of all deliveries. */
  work: CountWork;
  states: ReadQueueHealth;
}

const LIMIT_MS = 2_000;

export type QueueListService = ReturnType<typeof createQueueListService>;

/** Creates the reader of the queues (spec §1.9). */
export function createQueueListService({ database, redis, queues, work, states }: QueueListDeps) {
  const { isOperator } = createOperatorCheck(database);
  // A failure shows as null: that is how it is told.
  const allJobs = memoizeFor(SHARED_MS, () =>
    withTimeout(readJobs(queues, redis), LIMIT_MS).catch(() => undefined),
  );
  /** Jobs in Redis belong to no tenant. */
  const jobsFor = async (actor: Actor) => ((await isOperator(actor)) ? allJobs() : undefined);

  return {
    /** Returns the queues with the work of a team, or of all that the actor may see. @throws NotFound for another team. */
    async list(actor: Actor, teamId: number | undefined): Promise<QueueList> {
      if (teamId !== undefined) requireTeam(actor, teamId, 'read');
      const teams = new Set(teamId === undefined ? visibleTeamIds(actor) : [teamId]);
      const [found, jobs, known] = await Promise.all([work(), jobsFor(actor), states()]);
      const ofTeams = found && found.counts.filter((count) => teams.has(count.teamId));
      return {
        checkedAt: new Date(),
        queues: QUEUES.map((name) => ({
          name,
          jobs: jobs?.get(name) ?? null,
          work: ofTeams && ofTeams.filter(({ queue }) => queue === name),
          state: known?.get(name) ?? null,
        })),
        countedAt: found && found.countedAt,
      };
    },
  };
}

async function readJobs(queues: Queues, redis: RedisClient): Promise<Map<QueueName, QueueJobs>> {
  const [figures, workers, minutes] = await Promise.all([
    readQueueFigures(queues, redis),
    readQueueWorkers(queues),
    readQueueMinutes(queues),
  ]);
  return new Map(
    figures.map(({ queue, ...each }) => [
      queue,
      {
        ...each,
        ...(workers.get(queue) ?? { workers: null, slots: undefined }),
        ...(minutes.get(queue) ?? { ended: [], failed: [] }),
      },
    ]),
  );
}
