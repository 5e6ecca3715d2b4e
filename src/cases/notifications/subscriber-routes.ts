import Joi from 'joi';
import { answerSchema, exampleMeta, idSchema, listSchema, timeSchema } from '../../api/answer-schema.js';
import { type PageQuery, pageMeta, windowOf } from '../../api/page-meta.js';
import { type IdParams, idParams } from '../../platform/http/path-id.js';
import { type AnyRoute, defineRoute } from '../../api/route.js';
import { timestamp } from '../../platform/text/timestamp.js';
import { emailField } from '../case-input.js';
import { presentUser } from '../case-presenter.js';
import { caseUserSchema } from '../case-schemas.js';
import { CASE_PATH, type PartParams, partParams, partQuery } from '../parts/part-params.js';
import type { NewSubscriber, SubscriberService } from './subscriber-service.js';
import type { CaseSubscriber } from './subscriber-store.js';

interface Services {
  cases: { subscribers: SubscriberService };
}

interface AddBody {
  url?: string;
  secret?: string;
  user_email?: string;
}

const TAG = 'Case subscribers';
const SUBSCRIBERS = `${CASE_PATH}/subscribers`;

const keys = {
  id: idSchema,
  url: Joi.string().uri().allow(null),
  user: caseUserSchema.allow(null),
  created_at: timeSchema,
};
const example = {
  id: 3,
  url: 'https://siem.example.com/cases',
  user: null,
  created_at: '2026-11-21T09:50:00Z',
};

const addBody = Joi.object<AddBody>({
  url: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .max(2048),
  secret: Joi.string()
    .min(16)
    .max(255)
    .description('Signs the requests; a random one is created unless given'),
  user_email: emailField,
})
  .xor('url', 'user_email')
  .without('user_email', 'secret');

/** Subscribers, who are notified of changes of a case (spec §7.7). */
export const subscriberRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, PageQuery, unknown, Services>({
    method: 'get',
    path: SUBSCRIBERS,
    summary: 'List the subscribers of a case',
    params: idParams,
    query: partQuery,
    docs: {
      tag: TAG,
      response: listSchema('subscribers', answerSchema(keys)),
      example: {
        params: { id: 42 },
        response: { subscribers: [example], meta: exampleMeta('/api/v2/cases/42/subscribers') },
      },
      errors: [404, 422],
    },
    async handle({ actor, params, query, request }, { cases }) {
      const { items, total } = await cases.subscribers.list(actor, params.id, windowOf(query));
      return { subscribers: items.map(presentSubscriber), meta: pageMeta(request, query, total) };
    },
  }),

  defineRoute<IdParams, unknown, AddBody, Services>({
    method: 'post',
    path: SUBSCRIBERS,
    summary: 'Subscribe an address or a user to a case',
    status: 201,
    params: idParams,
    body: addBody,
    audit: 'case_subscriber.create',
    docs: {
      tag: TAG,
      description:
        'An address gets a POST of `{"activity", "case", "version": 2.0}` for each later activity, signed as webhooks are' +
        ' (`X-Service-Signature: ts=…;sig1=…`) with the `secret` that only this response shows; a user gets mails.',
      response: answerSchema({ ...keys, secret: Joi.string().allow(null) }),
      example: {
        params: { id: 42 },
        body: { url: example.url },
        response: { ...example, secret: '3f1c1a6f0f5e4a6b8a7d5c4b3a291807f6e5d4c3b2a19080706050403020100f' },
      },
      errors: [400, 403, 404, 409, 413, 415, 422],
    },
    check: ({ actor, params, body }, { cases }) => cases.subscribers.check(actor, params.id, body.user_email),
    async handle({ actor, params, body }, { cases }) {
      const { secret, ...made } = await cases.subscribers.add(actor, params.id, wantedOf(body));
      return { ...presentSubscriber(made), secret: secret ?? null };
    },
  }),

  defineRoute<PartParams<'subscriber_id'>, unknown, unknown, Services>({
    method: 'delete',
    path: `${SUBSCRIBERS}/:subscriber_id`,
    summary: 'Remove a subscriber from a case',
    status: 204,
    params: partParams('subscriber_id'),
    audit: 'case_subscriber.delete',
    docs: { tag: TAG, example: { params: { id: 42, subscriber_id: 3 } }, errors: [403, 404] },
    handle: ({ actor, params }, { cases }) =>
      cases.subscribers.remove(actor, params.id, params.subscriber_id),
  }),
];

/** The schema allows exactly one of `url` and `user_email`. */
function wantedOf({ url, secret, user_email: userEmail }: AddBody): NewSubscriber {
  return url === undefined ? { userEmail: userEmail ?? '' } : { url, secret };
}

function presentSubscriber({ id, url, user, createdAt }: CaseSubscriber) {
  return { id, url, user: presentUser(user), created_at: timestamp(createdAt) };
}
