import Joi from 'joi';
import { type AnyRoute, crudRoutes, defineRoute } from '../../../api/face.js';
import { Unprocessable } from '../../../platform/errors.js';
import { idField, idParams, type IdParams } from '../../../platform/http/address/path-id.js';
import { LIMITS } from '../../import/import-limits.js';
import {
  bundleSchema,
  MOST_BUNDLED,
  promotionBody,
  reasonProblems,
  type RevertBody,
  revertBody,
} from './promotion-body.js';
import {
  bundleExample,
  checkExample,
  checkSchema,
  mappingExample,
  presentBundle,
  presentCheck,
  presentPromotion,
  presentView,
  promotionExample,
  promotionSchema,
  promotionViewExample,
  promotionViewSchema,
} from './promotion-presenter.js';
import type { PromotionService } from '../promotion-service.js';
import type { PromotionRecord } from '../promotion-store.js';
import { readPromotion, type ReadPromotion } from '../plan/read-promotion.js';

interface Services {
  promotions: PromotionService;
}

interface BundleBody {
  story_ids: number[];
  include_called: boolean;
}

const PATH = '/api/v1/promotions';
const ITEM = { path: `${PATH}/:id`, params: idParams, example: { id: promotionExample.id } };
const TAG = 'Promotions';
const exampleBody = { bundle: bundleExample, name: promotionExample.name, mapping: mappingExample };

const routes = crudRoutes<Services, PromotionRecord>({
  tag: TAG,
  list: { path: PATH },
  item: ITEM,
  response: promotionSchema,
  example: promotionExample,
  present: presentPromotion,
});

/** The thread that reads the body checks all of it. */
const read = {
  maxValues: LIMITS.values,
  prepare: readPromotion,
  body: Joi.object({
    bundle: Joi.any(),
    name: Joi.any(),
    mapping: Joi.any(),
    choices: Joi.any(),
    overwrite: Joi.any(),
    reason: Joi.any(),
  }).unknown(true),
};

/** Endpoints of promotions (spec §3.22). */
export const promotionRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, unknown, BundleBody, Services>({
    method: 'post',
    path: `${PATH}/bundle`,
    summary: 'Bundle stories for another tenant',
    body: Joi.object<BundleBody>({
      story_ids: Joi.array()
        .items(idField)
        .min(1)
        .max(MOST_BUNDLED)
        .required()
        .description('Ids of the stories'),
      include_called: Joi.boolean()
        .default(true)
        .description('Includes the stories of their teams that they call'),
    }),
    audit: 'promotion.bundle',
    docs: {
      tag: TAG,
      operationId: 'bundleStories',
      description:
        'Returns the stories with the names that they need, for a promotion in another tenant or on another server. It contains no secrets: those of webhooks are hidden. At most 100 stories.',
      response: bundleSchema,
      example: { body: { story_ids: [12] }, response: bundleExample },
      errors: [400, 404, 415, 422],
    },
    check: ({ actor, body }, { promotions }) => promotions.checkBundle(actor, body.story_ids ?? []),
    handle: async ({ actor, body, request }, { promotions }) => {
      const bundle = await promotions.bundle(actor, { ids: body.story_ids, withCalled: body.include_called });
      return presentBundle(bundle, request.baseUrl);
    },
  }),

  defineRoute<unknown, unknown, ReadPromotion, Services>({
    method: 'post',
    path: `${PATH}/check`,
    summary: 'Check a promotion',
    ...read,
    audit: 'promotion.check',
    docs: {
      tag: TAG,
      operationId: 'checkPromotion',
      description:
        'Returns what the promotion would do to each story, and writes nothing: its differences, what is missing, conflicts with changes made here, and its webhooks. With `choices` it is as they decide.',
      body: promotionBody,
      response: checkSchema,
      example: { body: exampleBody, response: checkExample },
      errors: [400, 403, 413, 415, 422],
    },
    check: ({ actor, body }, { promotions }) => promotions.checkBody(actor, body as ReadPromotion),
    handle: async ({ actor, body, request }, { promotions }) =>
      presentCheck(await promotions.check(actor, body), request.baseUrl),
  }),

  defineRoute<unknown, unknown, ReadPromotion, Services>({
    method: 'post',
    path: PATH,
    summary: 'Promote stories from another tenant',
    status: 201,
    ...read,
    audit: 'promotion.create',
    docs: {
      tag: TAG,
      operationId: 'promoteStories',
      description:
        'Writes all stories of a bundle, or none. A story that came before, or else has the same name, becomes as in the bundle, and keeps its ids, webhook URLs and the changes made here; other stories are created. Credentials, resources and teams are found by name, after `mapping`. 422 names what is missing; 409 stories that are locked or under change control; 412 parts changed both here and in the source since the last promotion: `choices` decides each, or leaves a story out; `overwrite` with a `reason` replaces these stories.',
      body: promotionBody,
      response: promotionViewSchema,
      example: { body: exampleBody, response: promotionViewExample },
      errors: [400, 403, 409, 412, 413, 415, 422],
    },
    check: ({ actor, body }, { promotions }) => promotions.checkBody(actor, body as ReadPromotion),
    handle: async ({ actor, body, request }, { promotions }) =>
      presentView(await promotions.promote(actor, body), request.baseUrl),
  }),

  routes.list({
    summary: 'List promotions, newest first',
    description:
      'Promotions into teams that you can see. The newest 100 are kept, and those with which a story came last.',
    plural: 'promotions',
    handle: ({ actor, window }, { promotions }) => promotions.list(actor, window),
  }),

  defineRoute<IdParams, unknown, undefined, Services>({
    method: 'get',
    path: ITEM.path,
    summary: 'Get a promotion',
    params: idParams,
    docs: {
      tag: TAG,
      description: 'With its mapping, and its stories with their versions before and after.',
      response: promotionViewSchema,
      example: { params: ITEM.example, response: promotionViewExample },
      errors: [404],
    },
    handle: async ({ actor, params, request }, { promotions }) =>
      presentView(await promotions.get(actor, params.id), request.baseUrl),
  }),

  defineRoute<IdParams, unknown, RevertBody, Services>({
    method: 'post',
    path: `${ITEM.path}/revert`,
    summary: 'Revert a promotion',
    params: idParams,
    body: revertBody,
    audit: 'promotion.revert',
    docs: {
      tag: TAG,
      operationId: 'revertPromotion',
      description:
        'Gives all its stories their versions before it, or none. Stories that it created are deleted if no run of them is stored, else disabled. 409 names each story that was changed since or came with a later promotion; `overwrite` with a `reason` reverts changed ones, too.',
      response: promotionViewSchema,
      example: {
        params: ITEM.example,
        body: {},
        response: {
          ...promotionViewExample,
          reverted_at: '2026-12-03T10:00:00Z',
          reverted_by: promotionExample.user.id,
        },
      },
      errors: [400, 403, 404, 409, 415, 422],
    },
    async check({ actor, params, body }, { promotions }) {
      await promotions.checkRevert(actor, params.id);
      return reasonProblems(body);
    },
    handle: async ({ actor, params, body, request }, { promotions }) => {
      const problems = reasonProblems(body);
      if (problems.length > 0) throw new Unprocessable(problems);
      const order = {
        overwrites: body.overwrite,
        reason: (body.reason ?? '') === '' ? null : (body.reason ?? null),
      };
      return presentView(await promotions.revert(actor, params.id, order), request.baseUrl);
    },
  }),
];
