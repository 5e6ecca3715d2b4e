import Joi from 'joi';
import { decimal, integerVariable, list, numbersOf, oneOfVariable } from '../value-types.js';
import { inGroup } from '../variable.js';

const variable = inGroup('Workers, runs and retention');

/** Work that a process may do: the queues, and what needs none. A test compares it with THE list of queues. */
const WORK = [
  'webhook-events',
  'story-runs',
  'trigger',
  'email',
  'event-transformation',
  'http-request',
  'send-to-story',
  'maintenance',
] as const;

/** Queues whose jobs may be spread: all but the spool. */
const SPREADABLE = [
  'story-runs',
  'event-transformation',
  'trigger',
  'http-request',
  'email',
  'send-to-story',
] as const;
/** Most parts of one queue. */
export const MOST_PARTS = 32;

/** How much workers do at once, when a run is stopped, and what is kept. */
export const runVariables = {
  workerConcurrency: variable('WORKER_CONCURRENCY', integerVariable({ min: 1, max: 1000 }), {
    default: 50,
    unit: 'jobs',
    meaning: 'Jobs that one process works on at once, for each queue.',
  }),
  workerQueues: variable('WORKER_QUEUES', list(Joi.string().valid(...WORK), WORK.join(', ')), {
    default: [...WORK],
    defaultText: 'all',
    meaning: 'Work of a `worker` process: queues, and `maintenance`.',
    note: 'Every name needs a process somewhere.',
    more: '../README.md#processes-and-scaling',
  }),
  queueParts: variable('QUEUE_PARTS', numbersOf(SPREADABLE, { min: 1, max: MOST_PARTS }), {
    default: {},
    defaultText: 'one part for each queue',
    meaning: 'How many parts a busy queue has in Redis, each with a hash slot of its own.',
    note: 'Restart the workers with a new value before the other processes.',
    example: 'event-transformation=4,http-request=2',
    more: 'operations/redis.md#parts-of-a-queue',
  }),
  tenantCpuShare: variable('TENANT_CPU_SHARE', decimal(0.01, 1), {
    default: 0.2,
    meaning: 'Share of the time of the event loop of a worker for one tenant while others have work.',
    note: 'Work beyond it runs in threads.',
  }),
  actionDeadlineSeconds: variable('ACTION_DEADLINE_SECONDS', integerVariable({ min: 1, max: 86_400 }), {
    default: 660,
    unit: 'seconds',
    meaning: 'Longest duration of one action.',
  }),
  workerStallSeconds: variable('WORKER_STALL_SECONDS', integerVariable({ min: 1, max: 3600 }), {
    default: 60,
    unit: 'seconds',
    meaning: 'A worker that takes no waiting jobs, or whose event loop is blocked, for this long ends.',
    more: 'operations/dead-letters.md#stuck-work',
  }),
  maxAttempts: variable('MAX_ATTEMPTS', integerVariable({ min: 1 }), {
    default: 10,
    unit: 'attempts',
    meaning: 'Attempts of one delivery before it becomes a dead letter.',
  }),
  maxDepth: variable('MAX_DEPTH', integerVariable({ min: 1 }), {
    default: 20_000,
    unit: 'actions',
    meaning: 'Actions in a row after which a run counts as a runaway loop.',
  }),
  runEventLimit: variable('RUN_EVENT_LIMIT', integerVariable({ min: 10 }), {
    default: 20_000,
    unit: 'events',
    meaning: 'Events of a looping run before it is stopped.',
  }),
  maxCallDepth: variable('MAX_CALL_DEPTH', integerVariable({ min: 1, max: 50 }), {
    default: 10,
    unit: 'stories',
    meaning: 'Most stories that may call each other, one inside the other.',
  }),
  maxWebhookChain: variable('MAX_WEBHOOK_CHAIN', integerVariable({ min: 1 }), {
    default: 1_000,
    unit: 'runs',
    meaning: 'Most runs of a tenant in a row of which each calls the webhook of the next within a minute.',
    more: 'webhooks.md#runs-that-start-each-other',
  }),
  deadLetterRetentionDays: variable('DEAD_LETTER_RETENTION_DAYS', integerVariable({ min: 1, max: 3650 }), {
    default: 14,
    unit: 'days',
    meaning: 'How long dead letters, and the events of their runs, are kept.',
    more: 'operations/dead-letters.md',
  }),
  auditRetentionDays: variable('AUDIT_RETENTION_DAYS', integerVariable({ max: 36_500, zero: 'for ever' }), {
    default: 365,
    unit: 'days',
    meaning: 'How long the audit log is kept.',
    more: 'operations/retention.md',
  }),
  runSearchIndex: variable('RUN_SEARCH_INDEX', oneOfVariable('on', 'off'), {
    default: 'on',
    meaning: 'Whether values of runs are indexed for the search, and found by the index.',
    more: 'operations/run-search.md',
  }),
  statisticsRetentionDays: variable('STATISTICS_RETENTION_DAYS', integerVariable({ min: 1, max: 3650 }), {
    default: 90,
    unit: 'days',
    meaning: 'How long statistics are kept.',
    more: 'operations/statistics.md',
  }),
};
