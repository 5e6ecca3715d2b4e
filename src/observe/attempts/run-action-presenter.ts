import Joi from 'joi';
import { component, idSchema, responseSchema, timeSchema } from '../../api/face.js';
import { WAIT_REASON_TEXT, WAIT_REASONS } from '../../engine/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
import type { RunAction } from './run-action-store.js';

/** The counts of the actions of a run. */
export function presentRunActions({ actions, complete }: { actions: RunAction[]; complete: boolean }) {
  return { actions: actions.map(presentAction), complete };
}

function presentAction(action: RunAction) {
  const { done, failed, waiting, waitingReasons, warnings, attempts } = action;
  return {
    agent_id: action.agentId,
    agent_name: action.agentName,
    done,
    failed,
    waiting,
    waiting_reasons: waitingReasons.map(({ reason, count: n, until }) => ({
      reason,
      count: n,
      until: until && timestamp(until),
    })),
    warnings,
    attempts,
    p50_ms: action.p50Ms,
    p95_ms: action.p95Ms,
  };
}

const count = Joi.number().integer().min(0);

const waitingReasonSchema = component(
  'WaitingReason',
  responseSchema({
    reason: Joi.string()
      .valid(...WAIT_REASONS)
      .description(`Why they wait. ${WAIT_REASON_TEXT}`),
    count: count.description('Deliveries that wait for it'),
    until: timeSchema.allow(null).description('When the first of them is due; null without a set time'),
  }),
);

/** Schema of the counts of the actions of a run. */
export const runActionsSchema = responseSchema({
  actions: Joi.array()
    .items(
      component(
        'RunAction',
        responseSchema({
          agent_id: idSchema,
          agent_name: Joi.string().allow('', null).description('null if the action was deleted'),
          done: count.description('Events that it emitted'),
          failed: count.description('Dead letters'),
          waiting: count.description('Open deliveries'),
          waiting_reasons: Joi.array()
            .items(waitingReasonSchema)
            .description('Why they do not run, the reason of most first; `queued` covers all with a job'),
          warnings: count.description('Steps that logged errors and did not fail'),
          attempts: count.description('Failed attempts'),
          p50_ms: count.allow(null).description('Median processing time in ms; null if unknown'),
          p95_ms: count
            .allow(null)
            .description('95th percentile of the processing time in ms; null if unknown'),
        }),
      ),
    )
    .description('The actions that the run has reached'),
  complete: Joi.boolean().description('false if the times are those of the first 100,000 events'),
});

/** For the documentation. */
export const runActionsExample = {
  actions: [
    {
      agent_id: 32,
      agent_name: 'Each host',
      done: 5000,
      failed: 0,
      waiting: 12,
      waiting_reasons: [{ reason: 'mails_per_day', count: 12, until: '2026-11-22T00:00:00Z' }],
      warnings: 0,
      attempts: 3,
      p50_ms: 4,
      p95_ms: 18,
    },
  ],
  complete: true,
};
