import Joi from 'joi';
import {
  type AnyRoute,
  component,
  cursorKey,
  defineRoute,
  exampleMeta,
  listSchema,
  pageKeys,
  pageMeta,
  type PageQuery,
  responseSchema,
  type RunSource,
  windowOf,
} from '../../api/face.js';
import { idField, type IdParams, idParams } from '../../platform/http/address/path-id.js';
import { timeField } from '../../platform/http/time-field.js';
import type { JsonObject } from '../../platform/json.js';
import { type RunParams, runParams, warningsField } from './run-params.js';
import { presentRun, presentRunDetails } from './run-presenter.js';
import { newRunExample, runDetailsExample, runDetailsSchema, runExample, runSchema } from './run-schemas.js';
import type { RunService } from './run-service.js';
import { RUN_SOURCES, RUN_STATUSES, type RunStatus } from './run.js';
import { jsonObject } from '../../platform/validation/json-object.js';

interface Services {
  runs: RunService;
}

interface RunQuery extends PageQuery {
  exclude_payloads?: boolean;
}

interface ListQuery extends PageQuery {
  status?: RunStatus;
  source?: RunSource;
  since?: Date;
  until?: Date;
  draft_id?: number;
  warnings?: boolean;
}

interface StartBody {
  agent_id?: number;
  payload: JsonObject;
}

const RUNS = '/api/v1/stories/:id/runs';
const RUN = `${RUNS}/:guid`;
const TAG = 'Runs';
const exampleParams = { id: runExample.story_id, guid: runExample.guid };
const examplePath = `/api/v1/stories/${runExample.story_id}/runs`;

const listQuery = Joi.object<ListQuery>({
  status: Joi.string().valid(...RUN_STATUSES),
  source: Joi.string().valid(...RUN_SOURCES),
  since: timeField.description('Runs started at or after this time'),
  until: timeField.description('Runs started before this time'),
  draft_id: idField.description('Runs of this draft of the story'),
  warnings: warningsField,
  ...pageKeys,
  ...cursorKey('time'),
});

const startBody = Joi.object<StartBody>({
  agent_id: idField.description('The first action'),
  payload: jsonObject()
    .default({})
    .description('The event that a webhook emits, or the input of another action'),
});

/** Endpoints of the runs of a story (spec §5.7). */
export const runRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, ListQuery, unknown, Services>({
    method: 'get',
    path: RUNS,
    summary: 'List the runs of a story, newest first',
    params: idParams,
    query: listQuery,
    // Without `draft_id` the runs are those of the story in the path, which may be a draft.
    ignored: ['story_mode', 'draft_name'],
    docs: {
      tag: TAG,
      description:
        'A run is `running` while it has open deliveries, then `failed` if it has dead letters, otherwise `completed`. At most the newest 100,000 are counted and have a page number; for older ones, follow `next_page` or filter by time.',
      response: listSchema('story_runs', runSchema),
      example: {
        params: { id: runExample.story_id },
        query: { status: 'failed', since: '2026-11-21T00:00:00Z' },
        response: { story_runs: [runExample], meta: exampleMeta(examplePath) },
      },
      errors: [404, 422],
    },
    async handle({ actor, params, query, request }, { runs }) {
      const { status, source, since, until, warnings, draft_id: draftId } = query;
      const filter = { storyId: params.id, draftId, status, source, since, until, warnings };
      const page = await runs.list(actor, filter, windowOf(query));
      return { story_runs: page.items.map(presentRun), meta: pageMeta(request, query, page) };
    },
  }),

  defineRoute<RunParams, RunQuery, unknown, Services>({
    method: 'get',
    path: RUN,
    summary: 'Get a run with its events',
    params: runParams,
    query: Joi.object<RunQuery>({
      ...pageKeys,
      exclude_payloads: Joi.boolean().description(
        'Leaves `events` empty, for runs with many events; `story_run_events` still lists them',
      ),
    }),
    ignored: ['story_mode', 'draft_id'],
    docs: {
      tag: TAG,
      description:
        'Returns a page of its events with their output, oldest first, its open deliveries and its dead letters. With an archive, runs deleted by retention are read from there.',
      response: runDetailsSchema,
      example: {
        params: exampleParams,
        response: { ...runDetailsExample, meta: exampleMeta(`${examplePath}/${runExample.guid}`) },
      },
      errors: [404, 422, 503],
    },
    async handle({ actor, params: { id: storyId, guid }, query, request }, { runs }) {
      const withoutPayloads = query.exclude_payloads;
      const run = await runs.get(actor, { storyId, guid }, { ...windowOf(query), withoutPayloads });
      return {
        ...presentRunDetails(run, { withoutPayloads }),
        meta: pageMeta(request, query, { total: run.events.total }),
      };
    },
  }),

  defineRoute<RunParams, unknown, unknown, Services>({
    method: 'get',
    path: `${RUN}/summary`,
    summary: 'Get a run without its events',
    params: runParams,
    ignored: ['story_mode', 'draft_id'],
    docs: {
      tag: TAG,
      operationId: 'getStoryRunSummary',
      description: 'The run as in the list, under the key `story_run`.',
      response: component(
        'RunSummary',
        responseSchema({ story_run: runSchema.description('The run as in the list') }),
      ),
      example: { params: exampleParams, response: { story_run: runExample } },
      errors: [404],
    },
    async handle({ actor, params: { id: storyId, guid } }, { runs }) {
      return { story_run: presentRun(await runs.summary(actor, { storyId, guid })) };
    },
  }),

  defineRoute<IdParams, unknown, StartBody, Services>({
    method: 'post',
    path: RUNS,
    summary: 'Start a run of a story',
    status: 201,
    params: idParams,
    body: startBody,
    audit: 'story.run',
    docs: {
      tag: TAG,
      operationId: 'startStoryRun',
      description:
        'The run starts at the action `agent_id`, or else at the entry action of the story, its first webhook, or its first action without incoming links. A webhook emits `payload` unchanged (note `include_headers`: templates may read `body`); any other action gets it as input.',
      response: runSchema,
      example: {
        params: { id: runExample.story_id },
        body: { agent_id: 30, payload: { body: { host: 'web-1' } } },
        response: newRunExample,
      },
      errors: [400, 403, 404, 409, 413, 415, 422],
    },
    check: ({ actor, params, body }, { runs }) =>
      runs.checkStart(actor, params.id, { agentId: body.agent_id }),
    async handle({ actor, params, body }, { runs }) {
      const requested = { agentId: body.agent_id, payload: body.payload };
      return presentRun(await runs.start(actor, params.id, requested));
    },
  }),

  defineRoute<RunParams, unknown, unknown, Services>({
    method: 'post',
    path: `${RUN}/cancel`,
    summary: 'Cancel a run',
    params: runParams,
    audit: 'story.cancel_run',
    docs: {
      tag: TAG,
      description:
        'Deletes the open deliveries of the run and of the runs it started through Send to story. A running action finishes, but its event is not delivered. Cancelling a run again has no effect.',
      response: runSchema,
      example: {
        params: exampleParams,
        response: { ...runExample, status: 'cancelled', cancelled_at: runExample.ended_at },
      },
      errors: [403, 404],
    },
    async handle({ actor, params: { id: storyId, guid } }, { runs }) {
      return presentRun(await runs.cancel(actor, { storyId, guid }));
    },
  }),
];
