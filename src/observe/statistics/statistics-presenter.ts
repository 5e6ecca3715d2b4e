import Joi from 'joi';
import { component, idSchema, responseSchema, timeSchema } from '../../api/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
import { timeOfShare } from './count/duration-bucket.js';
import type { GroupSums, Statistics, StatisticsGroup } from './statistics.js';

const count = Joi.number().integer().min(0);
const runs = count.allow(null);
const OF_STORIES = 'null for actions, because runs belong to stories';

/** The schema of an item of `GET /api/v1/stats`. */
export const statisticsSchema = component(
  'Statistics',
  responseSchema({
    from: timeSchema.description('Start of the group'),
    to: timeSchema.description('End of the group, exclusive'),
    story_id: idSchema.allow(null).description('null for minutes, hours and days'),
    story_name: Joi.string().allow('', null).description('null for minutes, hours and days'),
    action_id: idSchema.allow(null).description('null except for actions'),
    action_name: Joi.string().allow('', null).description('null except for actions'),
    runs_started: runs.description(OF_STORIES),
    runs_ended: runs.description('Runs that completed, failed or were cancelled; counted when they end'),
    runs_failed: runs.description('Ended runs with a dead letter'),
    runs_cancelled: runs.description('Ended runs that were cancelled'),
    failure_rate: Joi.number()
      .min(0)
      .max(1)
      .allow(null)
      .description('`runs_failed` divided by `runs_ended`; null if none ended'),
    mean_duration: Joi.number()
      .min(0)
      .allow(null)
      .description(
        'Mean seconds from the start of a run to its last event; null for minutes, and if no run ended without being cancelled',
      ),
    p95_duration: Joi.number()
      .min(0)
      .allow(null)
      .description(
        '95th percentile of the duration in seconds; up to 1.41 times too high. null like `mean_duration`',
      ),
    webhook_calls: count.description('Accepted webhook calls'),
    events: count.description('Events that actions emitted'),
    dead_letters: count.description('Deliveries that failed permanently'),
    handled_failures: count.description('Permanent failures handled by failure links'),
    runs_per_hour: Joi.number().min(0).allow(null).description('`runs_started` for each counted hour'),
    mean_work: Joi.number()
      .min(0)
      .allow(null)
      .description(
        'Mean processing time per event in seconds, without queue time; null if unknown, and except for actions',
      ),
    events_per_hour: Joi.number().min(0).description('`events` for each counted hour'),
  }),
);

/** An example of an item. */
export const statisticsExample = {
  from: '2026-11-20T10:00:00Z',
  to: '2026-11-21T10:00:00Z',
  story_id: 12,
  story_name: 'Triage alerts',
  action_id: null,
  action_name: null,
  runs_started: 480,
  runs_ended: 478,
  runs_failed: 3,
  runs_cancelled: 1,
  failure_rate: 0.006,
  mean_duration: 1.294,
  p95_duration: 4.096,
  webhook_calls: 470,
  events: 2390,
  dead_letters: 4,
  handled_failures: 0,
  runs_per_hour: 20.214,
  mean_work: null,
  events_per_hour: 100.651,
};

const HOUR_MS = 3_600_000;
const SHARE = 0.95;

/** Presents a group; rates refer to the part of it that is counted. */
export function presentStatistics(
  { from, to, story, action, sums }: StatisticsGroup,
  { countedUntil }: Pick<Statistics, 'countedUntil'>,
) {
  const hours = (Math.min(to.getTime(), countedUntil.getTime()) - from.getTime()) / HOUR_MS;
  return {
    from: timestamp(from),
    to: timestamp(to),
    story_id: story?.id ?? null,
    story_name: story?.name ?? null,
    action_id: action?.id ?? null,
    action_name: action?.name ?? null,
    ...(action === null ? presentRuns(sums, hours) : NO_RUNS),
    webhook_calls: sums.webhookCalls,
    events: sums.events,
    dead_letters: sums.deadLetters,
    handled_failures: sums.handledFailures,
    mean_work: sums.timedEvents === 0 ? null : rounded(sums.workMs / sums.timedEvents / 1000),
    events_per_hour: rate(sums.events, hours),
  };
}

const NO_RUNS = {
  runs_started: null,
  runs_ended: null,
  runs_failed: null,
  runs_cancelled: null,
  failure_rate: null,
  mean_duration: null,
  p95_duration: null,
  runs_per_hour: null,
};

function presentRuns(sums: GroupSums, hours: number): Record<keyof typeof NO_RUNS, number | null> {
  const timed = sums.durations.reduce((sum, bucket) => sum + bucket.runs, 0);
  const p95Ms = timeOfShare(sums.durations, SHARE);
  return {
    runs_started: sums.runsStarted,
    runs_ended: sums.runsEnded,
    runs_failed: sums.runsFailed,
    runs_cancelled: sums.runsCancelled,
    failure_rate: sums.runsEnded === 0 ? null : rounded(sums.runsFailed / sums.runsEnded),
    mean_duration: timed === 0 ? null : rounded(sums.durationMs / timed / 1000),
    p95_duration: p95Ms === undefined ? null : rounded(p95Ms / 1000),
    runs_per_hour: rate(sums.runsStarted, hours),
  };
}

function rate(number: number, hours: number): number {
  return hours <= 0 ? 0 : rounded(number / hours);
}

function rounded(number: number): number {
  return Math.round(number * 1000) / 1000;
}
