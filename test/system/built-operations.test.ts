import { ROUTES } from '../../src/app/routes.js';
import type { OpenApiDocument } from '../../src/api/openapi/openapi-types.js';
import { MATRIX, nameOf, requestOf } from '../support/access-matrix.js';
import { type AccessWorld, buildAccessWorld, CALLERS } from '../support/access-world.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { callApi } from '../support/manage-api.js';
import { buildOperator } from '../support/one-tenant.js';
import { startProcess } from '../support/processes.js';
import { sideBySide } from '../support/side-by-side.js';
import { useStores } from '../support/stores.js';
import { agent, smallExport } from '../support/stories.js';

const stores = useStores();
const AT_ONCE = 8;

/** Other bodies that are well-formed, of operations whose body has several forms. */
const OTHER_FORMS: Record<string, (world: AccessWorld) => object[]> = {
  'POST /api/v1/trials': ({ places }) => [
    { story: oneTrigger(), team_id: places.get('own team')!.teamId, event: {} },
  ],
  'POST /api/v1/stories/check': () => [{ data: oneTrigger() }],
};

const oneTrigger = () =>
  smallExport({ agents: [agent('Agents::TriggerAgent', '1', { rules: [] })], links: [] });

/** Starts the web process as it was built. */
async function startBuilt() {
  const web = startProcess('web', fabulaEnvironment(stores, { LOG_LEVEL: 'info' }));
  stores.onClose(async () => void (await web.stop('SIGKILL')));
  await web.said('web is listening');
  const [, port = ''] = /"port":(\d+)/.exec(web.output()) ?? [];
  return { web, url: `http://127.0.0.1:${port}` };
}

/** Every operation of the document that the built product serves. */
async function servedOperations(url: string): Promise<string[]> {
  const response = await fetch(`${url}/api/openapi.json`);
  const { paths } = (await response.json()) as OpenApiDocument;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
}

/** An Owner may do it, and nothing stands in its way. */
function mustSucceed(name: string): boolean {
  const { expected, allowed } = MATRIX[name]!;
  return allowed === undefined && expected['own team'].trim().split(/\s+/)[CALLERS.indexOf('Owner')] === 'ok';
}

/** Routes of the installation answer an Owner of the only tenant. */
async function asOperator(url: string): Promise<number[]> {
  const { key } = await buildOperator(stores);
  const requests = ['GET /api/v1/doctor', 'GET /api/v1/info/worker_stats'];
  const responses = await Promise.all(requests.map((request) => callApi(url, key, request)));
  return responses.map(({ status }) => status);
}

/** Calls an operation with each form of its body, then with the example of the document, whose ids may lead nowhere. */
async function failuresOf(name: string, world: AccessWorld): Promise<string[]> {
  const place = world.places.get('own team')!;
  const { request, body } = await requestOf(name, place, world);
  const example = ROUTES.find((route) => nameOf(route) === name)?.docs?.example;
  const given = example !== undefined && 'body' in example ? [example.body] : [];
  const forms = OTHER_FORMS[name]?.(world) ?? [];
  const failures: string[] = [];
  for (const [index, each] of [body, ...forms, ...given].entries()) {
    const response = await world.api.call(world.keys.get('Owner')!, request, each);
    const limit = index <= forms.length && mustSucceed(name) ? 300 : 500;
    if (response.status >= limit)
      failures.push(
        `${request} ${JSON.stringify(each)}: ${response.status} ${JSON.stringify(response.body)}`,
      );
  }
  return failures;
}

it('S12: every operation of the document succeeds in the product as it was built', async () => {
  const { web, url } = await startBuilt();
  expect(await asOperator(url)).toEqual([200, 200]);
  const world = await buildAccessWorld(stores, { call: (...request) => callApi(url, ...request) });
  const operations = await servedOperations(url);
  expect(operations.toSorted()).toEqual(Object.keys(MATRIX).toSorted());
  const failuresOfAll = (names: string[]) => sideBySide(names, AT_ONCE, (name) => failuresOf(name, world));
  // A team has one repository: it must not be deleted while another operation needs it.
  const deletions = operations.filter((name) => name.startsWith('DELETE '));
  const others = operations.filter((name) => !deletions.includes(name));
  expect([...(await failuresOfAll(others)), ...(await failuresOfAll(deletions))].flat()).toEqual([]);
  expect(
    web
      .output()
      .split('\n')
      .filter((line) => line.includes('"level":"error"')),
  ).toEqual([]);
});
