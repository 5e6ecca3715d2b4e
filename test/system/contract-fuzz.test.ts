import type { Operation } from '../../src/api/openapi/openapi-types.js';
import { createOpenApiDocument } from '../../src/api/openapi/openapi-document.js';
import { ROUTES } from '../../src/app/routes.js';
import { createJudge, type FuzzResponse } from '../fuzz/contract.js';
import { runFuzz } from '../fuzz/fuzz.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { buildOperator } from '../support/one-tenant.js';
import { startProcess } from '../support/processes.js';
import { useStores } from '../support/stores.js';

const stores = useStores();

const UNLIMITED = { RATE_LIMIT_PER_MINUTE: '0', RECORDS_LIST_RATE_LIMIT_PER_MINUTE: '0' };

/** Starts the web process as it was built; gives its address. */
async function startBuilt(): Promise<string> {
  const web = startProcess('web', fabulaEnvironment(stores, { LOG_LEVEL: 'info', ...UNLIMITED }));
  stores.onClose(async () => void (await web.stop('SIGKILL')));
  await web.said('web is listening');
  const [, port = ''] = /"port":(\d+)/.exec(web.output()) ?? [];
  return `http://127.0.0.1:${port}`;
}

function response(status: number, body: unknown, more: Partial<FuzzResponse> = {}): FuzzResponse {
  const headers = new Headers({ 'content-type': 'application/json', 'x-request-id': 'a' });
  return { status, headers, text: JSON.stringify(body), tookMs: 1, ...more };
}

function errors(message: string, details?: string) {
  return { errors: [{ message, ...(details !== undefined && { details }) }] };
}

/** If it fails: `npm run fuzz` sends more requests, and shows the first of each kind of fault. */
it('contract: valid, nearly valid and rubbish requests get what the document says', async () => {
  const url = await startBuilt();
  const { key } = await buildOperator(stores);
  const { faults, reached } = await runFuzz({
    url,
    key,
    requests: 500,
    seed: 7,
    atOnce: 4,
    slowMs: Infinity,
  });
  expect(faults).toEqual([]);
  expect(reached).toBeGreaterThan(100);
});

describe('contract: the judge of responses', () => {
  const document = createOpenApiDocument(ROUTES, { version: '1.2.3', publicUrl: undefined });
  const judge = createJudge(document, 5_000);
  const operation = document.paths['/api/v1/folders/{id}']!['get'] as Operation;
  const example = ROUTES.find(({ method, path }) => method === 'get' && path === '/api/v1/folders/:id')!.docs!
    .example.response as object;

  it.each([
    ['a success', response(200, example)],
    ['a refusal with its place', response(422, errors('is too long', 'name'))],
    ['a refusal that names the field', response(422, errors('"name" is too long'))],
    ['what is gone', response(404, errors('Folder not found'))],
    ['a server that is busy', response(503, errors('The database is temporarily unavailable'))],
  ])('takes %s', (_what, given) => {
    expect(judge(operation, given)).toEqual([]);
  });

  it.each([
    ['an error of the server', response(500, errors('Internal error')), /answers 500/],
    ['another status', response(418, errors('Tea')), /418, which is not documented/],
    ['another shape', response(200, { ...example, id: 'x' }), /breaks its schema: \/id/],
    ['a key too many', response(200, { ...example, more: 1 }), /breaks its schema/],
    ['another shape of errors', response(404, { error: 'gone' }), /breaks its schema/],
    ['a refusal without a place', response(422, errors('Wrong')), /without a place: "Wrong"/],
    [
      'text',
      response(200, '', { headers: new Headers({ 'content-type': 'text/plain', 'x-request-id': 'a' }) }),
      /as "text\/plain"/,
    ],
    ['no JSON', response(200, '', { text: '{' }), /no JSON/],
    [
      'no request id',
      response(200, example, { headers: new Headers({ 'content-type': 'application/json' }) }),
      /without X-Request-Id/,
    ],
    ['six seconds', response(200, example, { tookMs: 6_000 }), /took over 5 s/],
  ])('finds %s', (_what, given, fault) => {
    expect(judge(operation, given)).toEqual([expect.stringMatching(fault)]);
  });
});
