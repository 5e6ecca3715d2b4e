import Joi from 'joi';
import { timestamp } from '../../platform/time/timestamp.js';
import {
  type Actor,
  type AnyRoute,
  component,
  defineRoute,
  responseSchema,
  timeSchema,
} from '../../api/face.js';
import { QUOTA_NAMES } from './quota.js';
import type { QuotaService, QuotaUse } from './quota-service.js';

/** Deliveries that wait for a quota. */
export interface QuotaWait {
  count: number;
  since: Date;
}

/** Returns what waits for each quota, of the teams that the actor may see; null: it could not be counted. */
export type ReadQuotaWaits = (actor: Actor) => Promise<ReadonlyMap<string, QuotaWait> | null>;

interface Services {
  quotas: QuotaService;
  quotaWaits: ReadQuotaWaits;
}

const quotaResponse = component(
  'Quota',
  responseSchema({
    name: Joi.string().valid(...QUOTA_NAMES),
    used: Joi.number().integer().description('Amount used'),
    limit: Joi.number().integer().allow(null).description('null for no limit'),
    resets_at: timeSchema.allow(null).description('Only for daily quotas'),
    window: Joi.string()
      .valid('day')
      .allow(null)
      .description('`day`: counted per UTC day; null: what is stored now'),
    waiting: Joi.number()
      .integer()
      .allow(null)
      .description('Deliveries of your teams that wait for it; null if they could not be counted'),
    waiting_since: timeSchema
      .allow(null)
      .description('When the oldest of these deliveries was created; null without any'),
  }),
);

const example = {
  quotas: [
    {
      name: 'mails_per_day',
      used: 10_000,
      limit: 10_000,
      resets_at: '2026-11-22T00:00:00Z',
      window: 'day',
      waiting: 101,
      waiting_since: '2026-11-21T08:00:12Z',
    },
    {
      name: 'stories',
      used: 12,
      limit: 10_000,
      resets_at: null,
      window: null,
      waiting: 0,
      waiting_since: null,
    },
  ],
};

function present({ name, used, limit, resetsAt }: QuotaUse, waits: Awaited<ReturnType<ReadQuotaWaits>>) {
  const wait = waits?.get(name);
  return {
    name,
    used,
    limit,
    resets_at: resetsAt,
    window: resetsAt === null ? null : 'day',
    waiting: waits && (wait?.count ?? 0),
    waiting_since: wait === undefined ? null : timestamp(wait.since),
  };
}

/** Endpoint of a tenant's quotas and their use (decision 0032). */
export const quotaRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, unknown, unknown, Services>({
    method: 'get',
    path: '/api/v1/tenants/current/usage',
    summary: 'Get the quotas of the tenant and their usage',
    docs: {
      tag: 'Tenants',
      operationId: 'getTenantUsage',
      description:
        'Each quota of the key’s tenant, for all of its users. Usage of daily quotas (UTC days) lags by a few seconds.',
      response: responseSchema({ quotas: Joi.array().items(quotaResponse).description('Each quota') }),
      example: { response: example },
      errors: [],
    },
    async handle({ actor }, { quotas, quotaWaits }) {
      const [uses, waits] = await Promise.all([quotas.usage(actor), quotaWaits(actor)]);
      return { quotas: uses.map((use) => present(use, waits)) };
    },
  }),
];
