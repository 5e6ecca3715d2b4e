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
  met: Joi.boolean().description('Whether the condition is currently met'),
  reason: Joi.string()
    .allow(null)
    .description('Why it is not met, as in the error when closing the case; null if it is met'),
});

/** The closure conditions of a case as they hold now (spec §7.6). */
export const conditionRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'get',
    path: `${CASE_PATH}/closure_conditions`,
    summary: 'Evaluate the closure conditions of a case',
    params: idParams,
    docs: {
      tag: 'Cases',
      operationId: 'getCaseClosureConditions',
      description:
        'Evaluates the formulas with the current case, without closing it. The total time limit is 50 ms; conditions not evaluated in time are not met, with that reason.',
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
