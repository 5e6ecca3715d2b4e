import Joi from 'joi';
import { component, responseSchema, timeSchema } from '../../../api/face.js';
import { MINUTES, QUEUES } from '../../../engine/face.js';
import { pauseSchema, presentPause } from './pause-presenter.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import type { QueueJobs, QueueList } from './queue-list-service.js';
import type { WorkCount, WorkKind } from './queue-work-store.js';

const count = Joi.number().integer().min(0);
const timeOrNull = timeSchema.allow(null);
const minutes = Joi.array().items(count).length(MINUTES);

const jobsSchema = component(
  'QueueJobs',
  responseSchema({
    waiting: count.description('Jobs that wait for a worker'),
    active: count.description('Jobs that run'),
    delayed: count.description('Jobs that were handed back for a while'),
    oldest_seconds: count.description('How long the oldest waiting job has waited'),
    workers: count.allow(null).description('Live workers; null: Redis does not list them'),
    slots: count
      .allow(null)
      .description('Jobs that the live workers can run at once; null: Redis does not list them'),
    paused: pauseSchema,
    ended: minutes.description(
      `Jobs that ended in each of the last ${MINUTES} minutes, the oldest first; attempts that were put off count too`,
    ),
    failed: minutes.description(`Jobs that failed for good in each of the last ${MINUTES} minutes`),
  }),
);

const deliveriesSchema = component(
  'QueueDeliveries',
  responseSchema({
    pending: count.description('They have a job, or get one now'),
    held: count.description('Their story has its share of jobs: they get one later'),
    sleeping: count.description('They sleep until a time, or rest while their action or story is disabled'),
    retrying: count.description('An attempt failed; another follows'),
    next_retry_at: timeOrNull.description('When the next of these attempts is due; null: there is none'),
    parked: count.description('They wait for the rest of a group, or for a story that they called'),
    failed: count.description('Dead letters'),
    oldest_at: timeOrNull.description('When the oldest pending or held one was made; null: there is none'),
  }),
);

/** The queues in a response. */
export const queuesResponse = responseSchema({
  queues: Joi.array()
    .items(
      component(
        'Queue',
        responseSchema({
          queue: Joi.string()
            .valid(...QUEUES)
            .description('Its name'),
          jobs: jobsSchema
            .allow(null)
            .description(
              'Its jobs in Redis, of all teams; null for others than Owners, with several tenants, and if it could not be read',
            ),
          deliveries: deliveriesSchema
            .allow(null)
            .description(
              'Its deliveries in MySQL, of the teams that were asked for; null: they could not be read',
            ),
        }),
      ),
    )
    .description('All queues, in the order of the board'),
  deliveries_counted_at: timeOrNull.description(
    'When the deliveries were counted: some seconds ago, or minutes with millions of them; null: they could not be read',
  ),
  checked_at: timeSchema.description('When it was answered'),
});

const idle = Array.from({ length: MINUTES - 2 }, () => 0);

/** Queues that `queuesResponse` allows. */
export const queuesExample = {
  queues: [
    {
      queue: 'http-request',
      jobs: {
        waiting: 4,
        active: 2,
        delayed: 0,
        oldest_seconds: 3,
        workers: 1,
        slots: 20,
        paused: null,
        ended: [...idle, 31, 12],
        failed: [...idle, 0, 1],
      },
      deliveries: {
        pending: 6,
        held: 0,
        sleeping: 2,
        retrying: 1,
        next_retry_at: '2026-11-26T09:30:20Z',
        parked: 0,
        failed: 3,
        oldest_at: '2026-11-26T09:29:57Z',
      },
    },
  ],
  deliveries_counted_at: '2026-11-26T09:29:58Z',
  checked_at: '2026-11-26T09:30:00Z',
};

/** Presents the queues. */
export function presentQueues({ queues, countedAt, checkedAt }: QueueList) {
  return {
    queues: queues.map(({ name, jobs, work }) => ({
      queue: name,
      jobs: jobs && presentJobs(jobs),
      deliveries: work && presentWork(work),
    })),
    deliveries_counted_at: countedAt && timestamp(countedAt),
    checked_at: timestamp(checkedAt),
  };
}

function presentJobs({ oldestMs, slots, paused, ...jobs }: QueueJobs) {
  const { waiting, active, delayed, workers, ended, failed } = jobs;
  const oldest = { oldest_seconds: Math.round(oldestMs / 1000) };
  return {
    waiting,
    active,
    delayed,
    ...oldest,
    workers,
    slots: slots ?? null,
    paused: presentPause(paused),
    ended,
    failed,
  };
}

function presentWork(work: WorkCount[]) {
  const of = (...kinds: WorkKind[]) => work.filter(({ kind }) => kinds.includes(kind));
  const count = (kind: WorkKind) => of(kind).reduce((sum, each) => sum + each.count, 0);
  return {
    pending: count('pending'),
    held: count('held'),
    sleeping: count('sleeping'),
    retrying: count('retrying'),
    next_retry_at: earliest(of('retrying').map(({ dueMs }) => dueMs)),
    parked: count('parked'),
    failed: count('failed'),
    oldest_at: earliest(of('pending', 'held').map(({ oldestMs }) => oldestMs)),
  };
}

function earliest(times: number[]): string | null {
  return times.length === 0 ? null : timestamp(new Date(Math.min(...times)));
}
