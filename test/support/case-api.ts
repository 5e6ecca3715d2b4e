import Joi from 'joi';
import { request } from 'undici';
import { caseRoutes } from '../../src/data/cases/case-routes.js';
import { createCaseServices } from '../../src/data/cases/case-services.js';
import type { Problem } from '../../src/platform/errors.js';
import { type TestApp, startTestApp } from './app.js';
import { type Account, buildAccount } from './builders.js';
import type { TestStores } from './stores.js';

export const CASES = '/api/v2/cases';
export const PUBLIC_URL = 'https://fabula.example';

/** A response's body; tests know what they asked for. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

export interface CaseResponse {
  status: number;
  body: Body;
  errors: Problem[];
}

/** The caller: an account, a key, or none. */
export type Caller = Pick<Account, 'key'> | undefined;

/**
 * The case endpoints over HTTP on real stores. Every successful response is held against the schema its route is
 * documented with; keys that the schema does not name are an error.
 */
export function useCaseApi(stores: TestStores) {
  let app: TestApp;

  beforeAll(async () => {
    const services = { cases: createCaseServices({ database: stores.db }) };
    app = await startTestApp(stores, {
      routes: caseRoutes,
      services,
      config: { publicUrl: PUBLIC_URL, bodyLimitBytes: 1024 * 1024 },
    });
  });

  const call = async (
    caller: Caller,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<CaseResponse> => {
    const response = await request(`${app.url}${path}`, {
      method: method as 'GET',
      headers: {
        ...(caller === undefined ? {} : { 'x-user-token': caller.key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.body.text();
    const parsed: Body = text === '' ? undefined : JSON.parse(text);
    if (response.statusCode < 300) checkResponse(method, path, parsed);
    return { status: response.statusCode, body: parsed, errors: parsed?.errors ?? [] };
  };

  return {
    call,
    get: (caller: Caller, path: string) => call(caller, 'GET', path),

    /** Makes a case and gives its body. */
    async make(account: Account, overrides: object = {}): Promise<Body> {
      const body = { team_id: account.team.id, name: 'A case', ...overrides };
      const response = await call(account, 'POST', CASES, body);
      if (response.status !== 201)
        throw new Error(`create: ${response.status} ${JSON.stringify(response.body)}`);
      return response.body;
    },

    /** Activities of the case as `TYPE: value`, oldest first. */
    async activities(account: Account, caseId: number): Promise<string[]> {
      const { body } = await call(account, 'GET', `${CASES}/${caseId}/activities?per_page=500`);
      return body.activities.map((each: Body) => `${each.activity_type}: ${each.value}`);
    },
  };
}

function checkResponse(method: string, path: string, body: unknown): void {
  const route = caseRoutes.find(
    (each) => each.method === method.toLowerCase() && patternOf(each.path).test(path),
  );
  if (route?.docs === undefined) throw new Error(`${method} ${path} is not documented`);
  const schema = route.docs.response ?? Joi.any().forbidden();
  Joi.assert(body, schema, `${method} ${path}`, { convert: false, allowUnknown: false });
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/:\w+/g, '[^/?]+')}/?(?:\\?.*)?$`);
}

/** An editor with a colleague in the same team who may only read, and people outside of it. */
export async function buildPeople({ db }: TestStores) {
  const editor = await buildAccount(db);
  const { tenantId, team } = editor;
  return {
    editor,
    viewer: await buildAccount(db, { team, role: 'VIEWER' }),
    colleague: await buildAccount(db, { team }),
    /** An account of the same tenant, in another team. */
    neighbour: await buildAccount(db, { tenantId }),
    /** An account of another tenant. */
    stranger: await buildAccount(db),
  };
}
