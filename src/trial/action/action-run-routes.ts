import Joi from 'joi';
import { type AnyRoute, component, defineRoute, idSchema, responseSchema } from '../../api/face.js';
import type { JsonObject } from '../../platform/json.js';
import { idField, type IdParams, idParams } from '../../platform/http/address/path-id.js';
import { jsonObject } from '../../platform/validation/json-object.js';
import type { ActionRunService } from './action-run-service.js';
import { presentTrial, trialExample, trialSchema } from './action-trial-presenter.js';

interface Services {
  actionRuns: ActionRunService;
}

interface RunBody {
  event?: JsonObject;
  payload?: JsonObject;
}

interface DryRunBody extends RunBody {
  event_id?: number;
  options?: JsonObject;
  send: boolean;
}

const TAG = 'Runs';
const eventKeys = {
  event: jsonObject().description(
    'The event that a webhook emits, or the input of another action, keyed by upstream action',
  ),
  payload: jsonObject().description('Same as `event`'),
};

const runBody = Joi.object<RunBody>(eventKeys).oxor('event', 'payload');

const dryRunBody = Joi.object<DryRunBody>({
  ...eventKeys,
  event_id: idField.description(
    'A stored event of the same story; the action gets the input of its receivers',
  ),
  options: jsonObject().description('Replaces the options of the action'),
  send: Joi.boolean().default(false).description('true to really send its requests and mails'),
}).oxor('event', 'payload', 'event_id');

const startedSchema = component(
  'StartedRun',
  responseSchema({
    story_run_guid: Joi.string().guid(),
    story_id: idSchema,
    agent_id: idSchema.description('The first action'),
    event_id: idSchema
      .allow(null)
      .description(
        'The event of a webhook, or the input of another action; null while the database is unavailable',
      ),
  }),
);

const startedExample = {
  story_run_guid: '0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57',
  story_id: 12,
  agent_id: 31,
  event_id: 830,
};

/** Endpoints that run an action by hand, under both names in paths (spec §5.7). */
export const actionRunRoutes: AnyRoute<Services>[] = (['actions', 'agents'] as const).flatMap((word) => [
  defineRoute<IdParams, unknown, RunBody, Services>({
    method: 'post',
    path: `/api/v1/${word}/:id/run`,
    summary: `Start a run at one of the ${word}`,
    status: 201,
    params: idParams,
    body: runBody,
    unsupported: { dry_run: 'use the path that ends in dry_run' },
    audit: 'agent.run',
    docs: {
      tag: TAG,
      description:
        'A webhook emits the event; any other action receives it as the input of a new run. Without an event, it starts as if by a schedule. The run is stored before the response.',
      response: startedSchema,
      example: {
        params: { id: startedExample.agent_id },
        body: { event: { receive_alert: { body: { host: 'web-1' } } } },
        response: startedExample,
      },
      errors: [400, 403, 404, 409, 413, 415, 422],
    },
    check: ({ actor, params }, { actionRuns }) => actionRuns.check(actor, params.id),
    async handle({ actor, params, body }, { actionRuns }) {
      const run = await actionRuns.run(actor, params.id, body.event ?? body.payload);
      return {
        story_run_guid: run.storyRunGuid,
        story_id: run.storyId,
        agent_id: run.agentId,
        event_id: run.eventId ?? null,
      };
    },
  }),

  defineRoute<IdParams, unknown, DryRunBody, Services>({
    method: 'post',
    path: `/api/v1/${word}/:id/dry_run`,
    summary: `Run a trial of one of the ${word}`,
    params: idParams,
    body: dryRunBody,
    audit: 'agent.dry_run',
    auditReach: ({ send }) => (send ? 'agent.dry_run' : undefined),
    docs: {
      tag: TAG,
      description:
        'Runs it once, as in its last attempt, without storing anything. Without `send`, it stops at its first request, which is returned but not sent; mails count as sent. Secrets are replaced by markers throughout the response.',
      response: trialSchema,
      example: {
        params: { id: startedExample.agent_id },
        body: { event: { receive_alert: { body: { host: 'web-1' } } } },
        response: trialExample,
      },
      errors: [400, 403, 404, 413, 415, 422],
    },
    check: ({ actor, params }, { actionRuns }) => actionRuns.check(actor, params.id),
    async handle({ actor, params, body, request }, { actionRuns }) {
      const { event = body.payload, event_id: eventId, options, send: sends } = body;
      const wanted = { event, eventId, options, sends };
      return presentTrial(await actionRuns.runTrial(actor, { id: params.id, left: request.left() }, wanted));
    },
  }),
]);
