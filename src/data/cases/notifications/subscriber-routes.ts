import Joi from 'joi';
import {
  type AnyRoute,
  component,
  crudRoutes,
  defineRoute,
  idSchema,
  responseSchema,
  timeSchema,
} from '../../../api/face.js';
import { type IdParams, idParams } from '../../../platform/http/address/path-id.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import { emailField } from '../case-input.js';
import { presentUser } from '../view/case-presenter.js';
import { caseUserSchema } from '../view/case-schemas.js';
import { CASE_PATH, type PartParams, partPlaces } from '../parts/part-params.js';
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

/** The keys of a subscriber in a response. */
export const subscriberKeys = {
  id: idSchema,
  url: Joi.string().uri().allow(null),
  user: caseUserSchema.allow(null),
  created_at: timeSchema,
};
/** An address for examples. */
export const subscriberExample = {
  id: 3,
  url: 'https://siem.example.com/cases',
  user: null,
  created_at: '2026-11-21T09:50:00Z',
};

const addBody = Joi.object<AddBody>({
  url: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .max(2048),
  secret: Joi.string().min(16).max(255).description('Secret that signs the requests; random by default'),
  user_email: emailField,
})
  .xor('url', 'user_email')
  .without('user_email', 'secret');

const routes = crudRoutes<Services, CaseSubscriber, IdParams, PartParams<'subscriber_id'>>({
  tag: TAG,
  ...partPlaces('subscribers', 'subscriber_id', subscriberExample.id),
  response: responseSchema(subscriberKeys),
  example: subscriberExample,
  present: presentSubscriber,
});

/** Subscribers, who are notified of changes of a case (spec §7.7). */
export const subscriberRoutes: AnyRoute<Services>[] = [
  routes.list({
    summary: 'List the subscribers of a case',
    description: 'URLs and users that are notified of each new activity. Signing secrets are not shown.',
    plural: 'subscribers',
    handle: ({ actor, params, window }, { cases }) => cases.subscribers.list(actor, params.id, window),
  }),

  defineRoute<IdParams, unknown, AddBody, Services>({
    method: 'post',
    path: SUBSCRIBERS,
    summary: 'Subscribe a URL or a user to a case',
    status: 201,
    params: idParams,
    body: addBody,
    audit: 'case_subscriber.create',
    docs: {
      tag: TAG,
      description:
        'A URL gets a POST of `{"activity", "case", "version": 2.0}` for each new activity, signed like webhooks' +
        ' (`X-Service-Signature: ts=…;sig1=…`) with the `secret` shown only in this response; a user gets mails.',
      response: component(
        'NewCaseSubscriber',
        responseSchema({
          ...subscriberKeys,
          secret: Joi.string()
            .allow(null)
            .description('Secret that signs the requests, shown only once; null if the subscriber is a user'),
        }),
      ),
      example: {
        params: { id: 42 },
        body: { url: subscriberExample.url },
        response: {
          ...subscriberExample,
          secret: '3f1c1a6f0f5e4a6b8a7d5c4b3a291807f6e5d4c3b2a19080706050403020100f',
        },
      },
      errors: [400, 403, 404, 409, 413, 415, 422],
    },
    check: ({ actor, params, body }, { cases }) => cases.subscribers.check(actor, params.id, body.user_email),
    async handle({ actor, params, body }, { cases }) {
      const { secret, ...made } = await cases.subscribers.add(actor, params.id, wantedOf(body));
      return { ...presentSubscriber(made), secret: secret ?? null };
    },
  }),

  routes.delete({
    summary: 'Remove a subscriber from a case',
    description: 'It is no longer notified.',
    audit: 'case_subscriber.delete',
    handle: ({ actor, params }, { cases }) =>
      cases.subscribers.remove(actor, params.id, params.subscriber_id),
  }),
];

/** The schema allows exactly one of `url` and `user_email`. */
function wantedOf({ url, secret, user_email: userEmail }: AddBody): NewSubscriber {
  return url === undefined ? { userEmail: userEmail ?? '' } : { url, secret };
}

/** Returns a subscriber as responses show it, without its secret. */
export function presentSubscriber({ id, url, user, createdAt }: CaseSubscriber) {
  return { id, url, user: presentUser(user), created_at: timestamp(createdAt) };
}
