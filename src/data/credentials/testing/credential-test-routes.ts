import Joi from 'joi';
import { type AnyRoute, component, defineRoute, responseSchema, timeSchema } from '../../../api/face.js';
import { type IdParams, idParams } from '../../../platform/http/address/path-id.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import type { CredentialTest, CredentialTester } from './credential-tester.js';

interface Services {
  credentialTests: CredentialTester;
}

interface TestBody {
  is_test?: boolean;
}

const testResponse = component(
  'CredentialTest',
  responseSchema({
    works: Joi.boolean().description('Whether actions can use it'),
    message: Joi.string().description('The result in words, without secrets'),
    host: Joi.string().allow(null).description('Token server; null if none was called'),
    status: Joi.number()
      .integer()
      .allow(null)
      .description('Status of its last response; null if there was none'),
    expires_at: timeSchema.allow(null).description('When the token or certificate expires; null if unknown'),
    took_ms: Joi.number().integer().description('Duration of the test'),
  }),
);

const example = {
  works: true,
  message: 'A token came from auth.atlassian.com.',
  host: 'auth.atlassian.com',
  status: 200,
  expires_at: '2026-11-21T10:29:30Z',
  took_ms: 212,
};

function present({ works, message, host, status, expiresAt, tookMs }: CredentialTest) {
  return {
    works,
    message,
    host: host ?? null,
    status: status ?? null,
    expires_at: expiresAt === undefined ? null : timestamp(expiresAt),
    took_ms: tookMs,
  };
}

/** Endpoint that tests a credential (spec §2.7). */
export const credentialTestRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, unknown, TestBody, Services>({
    method: 'post',
    path: '/api/v1/user_credentials/:id/test',
    summary: 'Test a credential of any mode',
    params: idParams,
    body: Joi.object<TestBody>({
      is_test: Joi.boolean().empty(Joi.valid(null, '')).description('Whether the test value is tested'),
    }),
    audit: 'credential.test',
    docs: {
      tag: 'Credentials',
      description:
        'For TEAM_ADMINs. Uses it like the first request of an action: fetches a token, signs, or reads the certificate. If it does not work, the response still succeeds, with `works: false` and the reason. Secrets are never returned.',
      response: testResponse,
      example: { params: { id: 6 }, body: {}, response: example },
      errors: [400, 403, 404, 415, 422],
    },
    check: ({ actor, params, body }, { credentialTests }) =>
      credentialTests.check(actor, { id: params.id, isTest: body.is_test === true }),
    handle: async ({ actor, params, body }, { credentialTests }) =>
      present(await credentialTests.test(actor, { id: params.id, isTest: body.is_test ?? false })),
  }),
];
