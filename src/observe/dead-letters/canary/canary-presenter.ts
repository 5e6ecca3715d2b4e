import Joi from 'joi';
import { component, idSchema, responseSchema, timeSchema } from '../../../api/face.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import { errorKindSchema } from '../groups/dead-letter-group-presenter.js';
import { type Canary, CANARY_STATES, type CanaryState, MOST_HOURS, STAGES, STOP_REASONS } from './canary.js';

/** A retry that begins with few dead letters. */
export function presentCanary(canary: Canary) {
  const { waiting, running, passed, failed, skipped, createdAt, stoppedAt, endedAt } = canary;
  return {
    id: canary.id,
    team_id: canary.teamId,
    story_id: canary.storyId,
    agent_id: canary.agentId,
    error_kind: canary.errorKind,
    state: stateOf(canary),
    stage: STAGES[Math.max(canary.stage, 1) - 1],
    dead_letters: waiting + running + passed + failed + skipped,
    waiting,
    running,
    passed,
    failed,
    skipped,
    left_out: canary.leftOut,
    stop_reason: canary.stopReason,
    stop_error: canary.stopError,
    started_by: canary.by,
    stopped_by: canary.stoppedBy,
    created_at: timestamp(createdAt),
    stopped_at: stoppedAt && timestamp(stoppedAt),
    ended_at: endedAt && timestamp(endedAt),
  };
}

function stateOf({ stopReason, endedAt }: Canary): CanaryState {
  if (stopReason !== null) return 'stopped';
  return endedAt === null ? 'running' : 'completed';
}

const count = Joi.number().integer();

const userSchema = responseSchema({ id: idSchema, name: Joi.string().allow('') }).allow(null);

/** Schema of such a retry in a response. */
export const canarySchema = component(
  'DeadLetterCanary',
  responseSchema({
    id: idSchema,
    team_id: idSchema,
    story_id: idSchema,
    agent_id: idSchema.allow(null).description('The action to which it is limited'),
    error_kind: errorKindSchema.allow(null),
    state: Joi.string()
      .valid(...CANARY_STATES)
      .description('`stopped`: no more are retried; those that run end by themselves'),
    stage: Joi.string()
      .valid(...STAGES)
      .description('The last stage begun: 1 dead letter, then 10, then the rest'),
    dead_letters: count.description('Number of dead letters'),
    waiting: count.description('Not retried, or not yet'),
    running: count.description(`Retried, outcome not yet known; not followed after ${MOST_HOURS} hours`),
    passed: count.description('Retried, and the action succeeded'),
    failed: count.description('Retried, and became dead letters again'),
    skipped: count.description(
      'Retried or dropped by other requests before their turn, or part of a cancelled run',
    ),
    left_out: count.description('Matching dead letters beyond `limit`, counted up to 100,000'),
    stop_reason: Joi.string()
      .valid(...STOP_REASONS, null)
      .description(
        `\`same_error\`: an attempt of the first 11 failed with the same kind of error. \`failed\`: none of a stage succeeded. \`timed_out\`: it ran for ${MOST_HOURS} hours, or its tenant was frozen`,
      ),
    stop_error: Joi.string().allow('', null).description('The error for which it stopped'),
    started_by: userSchema.description('null if the account is gone'),
    stopped_by: userSchema.description('null unless a person stopped it'),
    created_at: timeSchema,
    stopped_at: timeSchema.allow(null).description('When it stopped'),
    ended_at: timeSchema.allow(null).description('When the last outcome was known; null before'),
  }),
);

/** For the documentation. */
export const canaryExample = {
  id: 7,
  team_id: 3,
  story_id: 12,
  agent_id: 32,
  error_kind: 'The mail server <address> refused the connection',
  state: 'completed',
  stage: 'rest',
  dead_letters: 200,
  waiting: 0,
  running: 0,
  passed: 198,
  failed: 2,
  skipped: 0,
  left_out: 0,
  stop_reason: null,
  stop_error: null,
  started_by: { id: 4, name: 'Ada Lovelace' },
  stopped_by: null,
  created_at: '2026-11-21T11:30:00Z',
  stopped_at: null,
  ended_at: '2026-11-21T11:30:09Z',
};
