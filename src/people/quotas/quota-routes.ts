import Joi from 'joi';
import { type AnyRoute, component, defineRoute, responseSchema, timeSchema } from '../../api/face.js';
import { QUOTA_NAMES } from './quota.js';
import type { QuotaService, QuotaUse } from './quota-service.js';

interface Services {
  quotas: QuotaService;
}

const quotaResponse = component(
  'Quota',
  responseSchema({
    name: Joi.string().valid(...QUOTA_NAMES),
    used: Joi.number().integer().description('Amount used'),
    limit: Joi.number().integer().allow(null).description('null for no limit'),
    resets_at: timeSchema.allow(null).description('Only for daily quotas'),
  }),
);

const example = {
  quotas: [
    { name: 'events_per_day', used: 18_204, limit: 200_000_000, resets_at: '2026-11-22T00:00:00Z' },
    { name: 'stories', used: 12, limit: 10_000, resets_at: null },
  ],
};

function present({ name, used, limit, resetsAt }: QuotaUse) {
  return { name, used, limit, resets_at: resetsAt };
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
    async handle({ actor }, { quotas }) {
      return { quotas: (await quotas.usage(actor)).map(present) };
    },
  }),
];
