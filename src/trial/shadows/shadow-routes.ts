import Joi from 'joi';
import {
  type AnyRoute,
  crudRoutes,
  cursorKey,
  defineRoute,
  exampleMeta,
  listSchema,
  pageKeys,
  pageMeta,
  type PageQuery,
  windowOf,
} from '../../api/face.js';
import { idField } from '../../platform/http/address/path-id.js';
import {
  SHADOW_KEPT_DAYS,
  MOST_KEPT_SHADOWS,
  MOST_LISTED,
  MOST_SHADOWS,
  MOST_SHADOW_HOURS,
  MOST_RUNS,
  RUN_VERDICTS,
  type RunVerdict,
  type Shadow,
  SHADOW_KINDS,
  type ShadowKind,
} from './shadow.js';
import {
  presentShadow,
  presentShadowDifference,
  presentShadowRun,
  shadowDifferenceExample,
  shadowDifferenceSchema,
  shadowExample,
  shadowRunExample,
  shadowRunSchema,
  shadowSchema,
} from './shadow-presenter.js';
import type { RequestedShadow, ShadowedDraft, ShadowService } from './shadow-service.js';

interface Services {
  shadows: ShadowService;
}

interface DraftParams {
  id: number;
  draft_id: number;
}

interface ShadowParams extends DraftParams {
  shadow_id: number;
}

interface RunQuery extends PageQuery {
  difference_id?: number;
  verdict?: RunVerdict;
}

interface Body {
  kind: ShadowKind;
  runs: number;
  percent?: number;
  hours?: number;
}

const TAG = 'Drafts';
const SHADOWS = '/api/v1/stories/:id/drafts/:draft_id/shadows';
const DRAFT_EXAMPLE = { id: shadowExample.story_id, draft_id: shadowExample.draft_id };
const EXAMPLE = { ...DRAFT_EXAMPLE, shadow_id: shadowExample.id };
const draftKeys = { id: idField.required(), draft_id: idField.required() };
const shadowParams = Joi.object<ShadowParams>({ ...draftKeys, shadow_id: idField.required() });

const draftOf = ({ id, draft_id }: DraftParams): ShadowedDraft => ({ storyId: id, draftId: draft_id });

const routes = crudRoutes<Services, Shadow, DraftParams, ShadowParams>({
  tag: TAG,
  list: { path: SHADOWS, params: Joi.object<DraftParams>(draftKeys), example: DRAFT_EXAMPLE },
  item: { path: `${SHADOWS}/:shadow_id`, params: shadowParams, example: EXAMPLE },
  response: shadowSchema,
  example: shadowExample,
  present: presentShadow,
});

const body = Joi.object<Body>({
  kind: Joi.string()
    .valid(...SHADOW_KINDS)
    .required()
    .description('`next`: the next runs; `sample`: a part of the next runs; `last`: runs of before'),
  runs: Joi.number().integer().min(1).max(MOST_RUNS).default(1_000).description('The most runs to take'),
  percent: Joi.number()
    .integer()
    .min(1)
    .max(100)
    .when('kind', { is: 'sample', otherwise: Joi.forbidden() })
    .description('The part of the runs that a `sample` takes; 10 unless given'),
  hours: Joi.number()
    .integer()
    .min(1)
    .max(MOST_SHADOW_HOURS)
    .when('kind', { is: Joi.valid('next', 'sample'), otherwise: Joi.forbidden() })
    .description(
      `How long runs are taken; 24 for a \`sample\` and ${MOST_SHADOW_HOURS} for \`next\` unless given`,
    ),
});

/** Returns what the body asks for. */
function wantedOf({ kind, runs, percent, hours }: Body): RequestedShadow {
  return {
    kind,
    most: runs,
    percent: kind === 'sample' ? (percent ?? 10) : 100,
    hours: kind === 'last' ? 0 : (hours ?? (kind === 'sample' ? 24 : MOST_SHADOW_HOURS)),
  };
}

/** Endpoints of shadows: runs that go through a draft as trials (notes/runs.md, Shadows). */
export const shadowRoutes: AnyRoute<Services>[] = [
  routes.list({
    summary: 'List the shadows of a draft',
    description: `Newest first, those that run included. Each is kept for ${SHADOW_KEPT_DAYS} days, ${MOST_KEPT_SHADOWS} of a draft at most, and goes with its draft.`,
    plural: 'shadows',
    query: Joi.object<PageQuery>({ ...pageKeys, ...cursorKey('id') }),
    handle: ({ actor, params, window }, { shadows }) => shadows.list(actor, draftOf(params), window),
  }),

  routes.create<Body>({
    summary: 'Start a shadow of a draft',
    description: `Runs of the live story also go through the draft as trials, after they have ended, with the responses that they got. Nothing is sent or stored but what differs, by action and path. The server carries it out in the background. A change of the draft starts it again. 409 if one of the draft is running, ${MOST_SHADOWS} of the tenant, or as many as the server takes.`,
    body,
    exampleBody: { kind: 'last', runs: 1000 },
    exampleResponse: {
      ...shadowExample,
      state: 'running',
      same: 0,
      different: 0,
      not_compared: 0,
      not_compared_because: { ...shadowExample.not_compared_because, cancelled: 0 },
      ended_at: null,
    },
    errors: [400, 403, 404, 409, 415, 422],
    audit: 'shadow.start',
    check: ({ actor, params }, { shadows }) => shadows.check(actor, draftOf(params)),
    handle: ({ actor, params, body: given }, { shadows }) =>
      shadows.start(actor, draftOf(params), wantedOf(given)),
  }),

  routes.get({
    summary: 'Get a shadow of a draft',
    description: 'Its progress while it runs, and its result afterwards.',
    handle: ({ actor, params }, { shadows }) => shadows.get(actor, draftOf(params), params.shadow_id),
  }),

  defineRoute<ShadowParams, PageQuery, unknown, Services>({
    method: 'get',
    path: `${SHADOWS}/:shadow_id/differences`,
    summary: 'List the differences that a shadow found',
    params: shadowParams,
    query: Joi.object<PageQuery>(pageKeys),
    docs: {
      tag: TAG,
      description:
        'Groups of equal differences with the number of their runs, most runs first. They have no values: a trial of the draft with one of their runs shows those. Actions of called stories are listed if their team is visible.',
      response: listSchema('differences', shadowDifferenceSchema),
      example: {
        params: EXAMPLE,
        response: {
          differences: [shadowDifferenceExample],
          meta: exampleMeta(
            `/api/v1/stories/${EXAMPLE.id}/drafts/${EXAMPLE.draft_id}/shadows/${EXAMPLE.shadow_id}/differences`,
          ),
        },
      },
      errors: [404, 422],
    },
    async handle({ actor, params, query, request }, { shadows }) {
      const of = { id: params.shadow_id, window: windowOf(query) };
      const page = await shadows.differences(actor, draftOf(params), of);
      return {
        differences: page.items.map(presentShadowDifference),
        meta: pageMeta(request, query, page),
      };
    },
  }),

  defineRoute<ShadowParams, RunQuery, unknown, Services>({
    method: 'get',
    path: `${SHADOWS}/:shadow_id/runs`,
    summary: 'List the runs that a shadow found to differ',
    params: shadowParams,
    query: Joi.object<RunQuery>({
      ...pageKeys,
      ...cursorKey('id'),
      difference_id: idField.description('Only runs of this group of differences'),
      verdict: Joi.string()
        .valid(...RUN_VERDICTS)
        .description('Only runs that differ, or only those that could not be compared'),
    }),
    docs: {
      tag: TAG,
      description: `Newest first: every run that differs, and every run that could not be compared. Runs that gave the same are only counted, and runs that retention has deleted are left out. All groups together list ${MOST_LISTED.toLocaleString('en')} places of runs at most; \`runs\` of a group counts them all.`,
      response: listSchema('runs', shadowRunSchema),
      example: {
        params: EXAMPLE,
        response: {
          runs: [shadowRunExample],
          meta: exampleMeta(
            `/api/v1/stories/${EXAMPLE.id}/drafts/${EXAMPLE.draft_id}/shadows/${EXAMPLE.shadow_id}/runs`,
          ),
        },
      },
      errors: [404, 422],
    },
    async handle({ actor, params, query, request }, { shadows }) {
      const of = {
        id: params.shadow_id,
        differenceId: query.difference_id,
        verdict: query.verdict,
        window: windowOf(query),
      };
      const page = await shadows.runs(actor, draftOf(params), of);
      return { runs: page.items.map(presentShadowRun), meta: pageMeta(request, query, page) };
    },
  }),

  defineRoute<ShadowParams, unknown, unknown, Services>({
    method: 'post',
    path: `${SHADOWS}/:shadow_id/stop`,
    summary: 'Stop a shadow of a draft',
    params: shadowParams,
    audit: 'shadow.stop',
    docs: {
      tag: TAG,
      description: 'No more runs are compared. What was found stays. Has no effect on one that ended.',
      response: shadowSchema,
      example: {
        params: EXAMPLE,
        response: {
          ...shadowExample,
          state: 'stopped',
          stop_reason: 'by_hand',
          same: 120,
          different: 4,
          stopped_by: shadowExample.started_by,
        },
      },
      errors: [403, 404],
    },
    check: ({ actor, params }, { shadows }) => shadows.checkStop(actor, draftOf(params), params.shadow_id),
    async handle({ actor, params }, { shadows }) {
      return presentShadow(await shadows.stop(actor, draftOf(params), params.shadow_id));
    },
  }),
];
