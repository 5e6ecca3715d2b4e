import Joi from 'joi';
import { type AnyRoute, defineRoute } from '../../api/face.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { idField } from '../../platform/http/address/path-id.js';
import { jsonObject } from '../../platform/validation/json-object.js';
import { LIMITS } from '../../stories/face.js';
import { trialRules } from '../../stories/face.js';
import { storyTrialExample, storyTrialSchema } from './trial-schemas.js';
import type { TrialService } from './trial-service.js';
import type { RequestedStoryTrial } from './requested-trial.js';

interface Services {
  trials: TrialService;
}

interface TrialInput {
  story_id?: number;
  draft_id?: number;
  story?: JsonObject;
  team_id?: number;
  run_guid?: string;
  event?: JsonObject;
  event_id?: number;
  action?: number | string;
  responses?: JsonValue;
  send: boolean;
}

const trialBody = Joi.object<TrialInput>({
  story_id: idField.description('A stored story'),
  draft_id: idField.description('A draft; its story can also be given'),
  story: jsonObject().description('A story in the export format, instead of `story_id`'),
  team_id: idField.description('Team of `story`; defaults to the team of the run'),
  run_guid: Joi.string()
    .guid()
    .description(
      'A past run that provides the responses, the comparison and, without `event_id`, the first event',
    ),
  event: jsonObject().description('The event that a webhook emits, or the input of another action'),
  event_id: idField.description(
    'A stored event, with its upstream events; with `run_guid`, an event of that run',
  ),
  action: Joi.alternatives(Joi.number().integer().positive(), Joi.string().max(255)).description(
    'The action to start at: id, guid or name',
  ),
  responses: trialRules.description(
    'Rules that answer requests before the past run does; the first match applies',
  ),
  send: Joi.boolean()
    .default(false)
    .description('true to really send requests that match no rule, instead of using the past run'),
})
  .or('story_id', 'draft_id', 'story')
  .without('story', ['story_id', 'draft_id'])
  .oxor('event', 'event_id')
  .oxor('event', 'run_guid');

/** Endpoint that tries a whole story (spec §5.12). */
export const trialRoutes: readonly AnyRoute<Services>[] = [
  defineRoute<unknown, unknown, RequestedStoryTrial, Services>({
    method: 'post',
    path: '/api/v1/trials',
    summary: 'Run a trial of a story',
    body: trialBody,
    maxValues: LIMITS.values,
    prepare: wantedOf,
    audit: 'story.try',
    auditReach: ({ sends }) => (sends ? 'story.try_send' : undefined),
    docs: {
      tag: 'Runs',
      operationId: 'createTrial',
      description:
        'Runs a story in memory on a past run, on a part of one, or on a given event, without storing anything, and reports what it does and how it differs from the past run. Requests are answered by rules and by the past run; with `send`, they are really sent. Mails are never sent. Secrets are replaced by markers.',
      body: trialBody,
      response: storyTrialSchema,
      example: {
        body: { story_id: 12, run_guid: storyTrialExample.story_run_guid },
        response: storyTrialExample,
      },
      errors: [400, 403, 404, 413, 415, 422],
    },
    check: ({ actor, body }, { trials }) => trials.check(actor, body as RequestedStoryTrial),
    handle: ({ actor, body, request }, { trials }) => trials.run(actor, body, request.left()),
  }),
];

function wantedOf(body: unknown): RequestedStoryTrial {
  const { story, responses = [], send: sends, ...ids } = body as TrialInput;
  const agents = story?.agents;
  return {
    storyId: ids.story_id,
    draftId: ids.draft_id,
    story: story && { text: stringifyJson(story), actions: Array.isArray(agents) ? agents : [] },
    teamId: ids.team_id,
    runGuid: ids.run_guid,
    event: ids.event,
    eventId: ids.event_id,
    action: ids.action,
    rules: stringifyJson(responses),
    sends,
  };
}
