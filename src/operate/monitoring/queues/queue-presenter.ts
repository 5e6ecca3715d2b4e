import Joi from 'joi';
import { component, responseSchema, timeSchema } from '../../../api/face.js';
import { MINUTES, QUEUES, type QueueHealth, WAIT_REASON_TEXT, WAIT_REASONS } from '../../../engine/face.js';
import { pauseSchema, presentPause } from './pause-presenter.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import type { QueueJobs, QueueList } from './queue-list-service.js';
import type { WorkCount, WorkKind } from './queue-work-store.js';
import { sumByReason } from './work-reason.js';

const count = Joi.number().integer().min(0);
const timeOrNull = timeSchema.allow(null);
const minutes = Joi.array().items(count).length(MINUTES);

const jobsSchema = component(
  'QueueJobs',
  responseSchema({
    waiting: count.description('Jobs waiting for a worker'),
    active: count.description('Running jobs'),
    delayed: count.description('Delayed jobs'),
    oldest_seconds: count.description('Age of the oldest waiting job'),
    workers: count.allow(null).description('Live workers; null if Redis does not list them'),
    slots: count
      .allow(null)
      .description('Jobs that the live workers can run concurrently; null if Redis does not list workers'),
    paused: pauseSchema,
    ended: minutes.description(
      `Jobs finished in each of the last ${MINUTES} minutes, oldest first, including postponed attempts`,
    ),
    failed: minutes.description(`Jobs that failed permanently in each of the last ${MINUTES} minutes`),
  }),
);

const deliveriesSchema = component(
  'QueueDeliveries',
  responseSchema({
    pending: count.description('They have a job, or are about to get one'),
    held: count.description('Their story has used its share of jobs; they get one later'),
    sleeping: count.description('They wait until a set time, or until their action or story is enabled'),
    retrying: count.description('An attempt failed and will be retried'),
    next_retry_at: timeOrNull.description('When the next of these attempts is due; null if there is none'),
    parked: count.description('They wait for the rest of a group, or for a story they called'),
    failed: count.description('Dead letters'),
    oldest_at: timeOrNull.description(
      'When the oldest pending or held delivery was created; null if there is none',
    ),
    reasons: Joi.array()
      .items(
        component(
          'QueueWaitingReason',
          responseSchema({
            reason: Joi.string()
              .valid(...WAIT_REASONS)
              .description(`Why they wait. ${WAIT_REASON_TEXT}`),
            count: count.description('Deliveries that wait for it'),
            oldest_at: timeSchema.description('When the oldest of them was created'),
            until: timeOrNull.description('When the first of them is due; null without a set time'),
          }),
        ),
      )
      .description('Why deliveries wait, the reason of most first'),
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
            .description('Name'),
          jobs: jobsSchema
            .allow(null)
            .description(
              'Jobs in Redis, of all teams. null if the caller is not an Owner, with several tenants, or if Redis could not be read',
            ),
          served: Joi.boolean()
            .allow(null)
            .description('Whether a process serves the queue; null if Redis does not tell'),
          paused: Joi.boolean()
            .allow(null)
            .description('Whether the queue is paused; null if Redis does not tell'),
          deliveries: deliveriesSchema
            .allow(null)
            .description('Deliveries in MySQL, of the requested teams; null if they could not be read'),
        }),
      ),
    )
    .description('All queues, in the order of the queue board'),
  deliveries_counted_at: timeOrNull.description(
    'When the deliveries were counted: seconds ago, or minutes with millions of them; null if they could not be read',
  ),
  checked_at: timeSchema.description('When the response was created'),
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
      served: true,
      paused: false,
      deliveries: {
        pending: 6,
        held: 0,
        sleeping: 2,
        retrying: 1,
        next_retry_at: '2026-11-26T09:30:20Z',
        parked: 0,
        failed: 3,
        oldest_at: '2026-11-26T09:29:57Z',
        reasons: [{ reason: 'queued', count: 6, oldest_at: '2026-11-26T09:29:57Z', until: null }],
      },
    },
  ],
  deliveries_counted_at: '2026-11-26T09:29:58Z',
  checked_at: '2026-11-26T09:30:00Z',
};

/** Presents the queues. */
export function presentQueues({ queues, countedAt, checkedAt }: QueueList) {
  return {
    queues: queues.map(({ name, jobs, work, state }) => ({
      queue: name,
      jobs: jobs && presentJobs(jobs),
      served: state && state.isServed,
      paused: state && state.isPaused,
      deliveries: work && presentWork(work, state),
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

function presentWork(work: WorkCount[], state: QueueHealth | null) {
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
    reasons: sumByReason(work, state).map(({ reason, count: n, oldestMs, untilMs }) => ({
      reason,
      count: n,
      oldest_at: timestamp(new Date(oldestMs)),
      until: untilMs === null ? null : timestamp(new Date(untilMs)),
    })),
  };
}

function earliest(times: number[]): string | null {
  return times.length === 0 ? null : timestamp(new Date(Math.min(...times)));
}
