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
    meaning: 'Jobs that one process runs concurrently, per queue.',
  }),
  workerQueues: variable('WORKER_QUEUES', list(Joi.string().valid(...WORK), WORK.join(', ')), {
    default: [...WORK],
    defaultText: 'all',
    meaning: 'Work of a `worker` process: queues, and `maintenance`.',
    note: 'Every name must be served by some process.',
    more: 'deploy.md#processes-and-scaling',
  }),
  queueParts: variable('QUEUE_PARTS', numbersOf(SPREADABLE, { min: 1, max: MOST_PARTS }), {
    default: {},
    defaultText: 'one part for each queue',
    meaning: 'Number of parts of a busy queue in Redis, each with its own hash slot.',
    note: 'Restart the workers with a new value before the other processes.',
    example: 'event-transformation=4,http-request=2',
    more: 'redis.md#parts-of-a-queue',
  }),
  shadowCpuShare: variable('SHADOW_CPU_SHARE', decimal(0.01, 1), {
    default: 0.25,
    meaning: 'Share of one processor for shadows of drafts.',
    note: 'Their trials run in one thread of the leading maintenance worker; tenants take turns, and rest in between.',
  }),
  tenantCpuShare: variable('TENANT_CPU_SHARE', decimal(0.01, 1), {
    default: 0.2,
    meaning: 'Share of the event loop time of a worker for one tenant while others have work.',
    note: 'Work beyond it runs in threads.',
  }),
  actionDeadlineSeconds: variable('ACTION_DEADLINE_SECONDS', integerVariable({ min: 1, max: 86_400 }), {
    default: 660,
    unit: 'seconds',
    meaning: 'Maximum duration of one action.',
  }),
  workerStallSeconds: variable('WORKER_STALL_SECONDS', integerVariable({ min: 1, max: 3600 }), {
    default: 60,
    unit: 'seconds',
    meaning: 'A worker exits if it takes no waiting jobs, or its event loop is blocked, for this long.',
    more: 'dead-letters.md#stuck-work',
  }),
  maxAttempts: variable('MAX_ATTEMPTS', integerVariable({ min: 1 }), {
    default: 10,
    unit: 'attempts',
    meaning: 'Attempts of one delivery before it becomes a dead letter.',
  }),
  maxDepth: variable('MAX_DEPTH', integerVariable({ min: 1 }), {
    default: 20_000,
    unit: 'actions',
    meaning: 'Actions in a row after which a run is treated as a runaway loop.',
  }),
  runEventLimit: variable('RUN_EVENT_LIMIT', integerVariable({ min: 10 }), {
    default: 20_000,
    unit: 'events',
    meaning: 'Events of a looping run before it is stopped.',
  }),
  maxCallDepth: variable('MAX_CALL_DEPTH', integerVariable({ min: 1, max: 50 }), {
    default: 10,
    unit: 'stories',
    meaning: 'Maximum nesting depth of story calls.',
  }),
  maxWebhookChain: variable('MAX_WEBHOOK_CHAIN', integerVariable({ min: 1 }), {
    default: 1_000,
    unit: 'runs',
    meaning: 'Maximum number of runs in a row that start each other through webhooks within a minute.',
    more: '../use/webhooks.md#runs-that-start-each-other',
  }),
  deadLetterRetentionDays: variable('DEAD_LETTER_RETENTION_DAYS', integerVariable({ min: 1, max: 3650 }), {
    default: 14,
    unit: 'days',
    meaning: 'Retention of dead letters and the events of their runs.',
    more: 'dead-letters.md',
  }),
  auditRetentionDays: variable('AUDIT_RETENTION_DAYS', integerVariable({ max: 36_500, zero: 'forever' }), {
    default: 365,
    unit: 'days',
    meaning: 'Retention of the audit log.',
    more: 'retention.md',
  }),
  runSearchIndex: variable('RUN_SEARCH_INDEX', oneOfVariable('on', 'off'), {
    default: 'on',
    meaning: 'Whether run values are indexed for search.',
    more: 'run-search.md',
  }),
  statisticsRetentionDays: variable('STATISTICS_RETENTION_DAYS', integerVariable({ min: 1, max: 3650 }), {
    default: 90,
    unit: 'days',
    meaning: 'Retention of statistics.',
    more: 'statistics.md',
  }),
};
