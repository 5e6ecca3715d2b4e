import Joi from 'joi';
import {
  type Actor,
  type AnyRoute,
  component,
  defineRoute,
  defineUpdate,
  requireOwner,
  responseSchema,
} from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import { findTestPolicy, saveTestPolicy, TEST_POLICIES, type TestPolicy } from './test-policy-store.js';

interface TestPolicyService {
  get(actor: Actor): Promise<TestPolicy>;
  /** @throws Forbidden for another than an Owner. */
  set(actor: Actor, policy: TestPolicy): Promise<void>;
}

interface Services {
  testPolicies: TestPolicyService;
}

interface Body {
  on_publish: TestPolicy;
}

/** The setting of a tenant for tests of its stories. */
export function createTestPolicyService({
  database,
}: {
  database: Pick<Database, 'read' | 'transaction'>;
}): TestPolicyService {
  return {
    get: (actor) => database.read((session) => findTestPolicy(actor.tenantId, session)),
    async set(actor, policy) {
      requireOwner(actor);
      await database.transaction((session) => saveTestPolicy(actor.tenantId, policy, session));
    },
  };
}

const PATH = '/api/v1/tenants/current/test_settings';

const onPublish = Joi.string()
  .valid(...TEST_POLICIES)
  .description(
    '`block`: failing tests refuse a publication; `warn`: they do not. A story may block where this warns, not the other way round',
  );

const response = component('TestSettings', responseSchema({ on_publish: onPublish }));
const example = { on_publish: 'block' };

/** Endpoints of the tenant's setting for tests of stories (spec §3.17). */
export const testPolicyRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, unknown, unknown, Services>({
    method: 'get',
    path: PATH,
    summary: 'Get the test settings of the tenant',
    docs: {
      tag: 'Tenants',
      operationId: 'getTestSettings',
      description: 'Tells whether failing tests of a story refuse its publication.',
      response,
      example: { response: example },
      errors: [403],
    },
    handle: async ({ actor }, { testPolicies }) => ({ on_publish: await testPolicies.get(actor) }),
  }),

  ...defineUpdate<unknown, unknown, Body, Services>({
    path: PATH,
    summary: 'Set the test settings of the tenant',
    body: Joi.object<Body>({ on_publish: onPublish.required() }),
    audit: 'tenant.test_settings',
    docs: {
      tag: 'Tenants',
      operationId: 'updateTestSettings',
      description: 'For Owners. Counts at once, for stories without a setting of their own.',
      response,
      example: { body: example, response: example },
      errors: [400, 403, 415, 422],
    },
    check: ({ actor }) => requireOwner(actor),
    async handle({ actor, body }, { testPolicies }) {
      await testPolicies.set(actor, body.on_publish);
      return { on_publish: await testPolicies.get(actor) };
    },
  }),
];
