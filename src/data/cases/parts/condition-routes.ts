import Joi from 'joi';
import { type AnyRoute, defineRoute, responseSchema } from '../../../api/face.js';
import { type IdParams, idParams } from '../../../platform/http/address/path-id.js';
import type { CaseServices } from '../case-services.js';
import { CASE_PATH } from './part-params.js';

interface Services {
  cases: Pick<CaseServices, 'cases'>;
}

const condition = responseSchema({
  name: Joi.string(),
  formula: Joi.string(),
  met: Joi.boolean().description('Whether it allows closing the case now'),
  reason: Joi.string()
    .allow(null)
    .description('Why it does not, as the refusal to close would say it; null: it is met'),
});

/** The closure conditions of a case as they hold now (spec §7.6). */
export const conditionRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'get',
    path: `${CASE_PATH}/closure_conditions`,
    summary: 'Look which closure conditions of a case are met',
    params: idParams,
    docs: {
      tag: 'Cases',
      operationId: 'getCaseClosureConditions',
      description:
        'Evaluates the formulas with the case as it is now, without closing it. All of them together have 50 ms; one that gets no time is not met, with that as its reason.',
      response: responseSchema({
        closure_conditions: Joi.array().items(condition).description('In the order of the case'),
      }),
      example: {
        params: { id: 42 },
        response: {
          closure_conditions: [
            {
              name: 'Has a verdict',
              formula: 'team_case.metadata.verdict',
              met: false,
              reason: 'is not met',
            },
          ],
        },
      },
      errors: [404],
    },
    async handle({ actor, params, request: { baseUrl } }, { cases }) {
      const judged = await cases.cases.conditions({ actor, baseUrl }, params.id);
      return { closure_conditions: judged.map((one) => ({ ...one, met: one.reason === null })) };
    },
  }),
];
