import { buildAccount, buildKey } from '../support/builders.js';
import { useManageApi } from '../support/manage-api.js';
import { buildOperator } from '../support/one-tenant.js';
import { queueOf } from '../support/queue-named.js';
import { describedRoutes } from '../support/served-routes.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);

/** THE list of routes that concern the whole installation: for operators alone. */
const OF_INSTALLATION = ['GET /api/v1/doctor', 'GET /api/v1/info/worker_stats'];
/** Routes of which one part does: it is null for others. */
const IN_PART: Record<string, (body: { installation: unknown; queues: { jobs: unknown }[] }) => unknown> = {
  'GET /api/v1/status': ({ installation }) => installation,
  'GET /api/v1/queues': ({ queues }) => queues.find(({ jobs }) => jobs !== null) ?? null,
};
/** Routes beside them that tell of one tenant, or the same to everybody. */
const OF_TENANT = [
  'GET /api/v1/info',
  'GET /api/v1/schedules',
  'GET /api/v1/inbox',
  ...['PUT', 'PATCH'].map((method) => `${method} /api/v1/inbox/:entry_key`),
  ...['GET', 'POST'].flatMap((method) => [
    `${method} /api/v1/admin/users`,
    `${method} /api/v1/admin/templates`,
  ]),
  ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} /api/v1/admin/users/:id`),
  'GET /api/v1/admin/users/:id/signin_activities',
  'POST /api/v1/admin/users/:id/expire_session',
  ...['admin', 'admin/actions/:id'].flatMap((place) => [
    `GET /api/v1/${place}/dead_jobs`,
    `DELETE /api/v1/${place}/delete_all_dead_jobs`,
  ]),
  ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} /api/v1/admin/templates/:id`),
];

/** An Owner of one of two tenants, and a key of it. */
async function ownersOfOne(): Promise<string[]> {
  await buildAccount(stores.db, { owner: true });
  const owner = await buildAccount(stores.db, { owner: true });
  return [owner.key, (await buildKey(stores.db, { tenantId: owner.tenantId })).key];
}

it('S7: every route that may tell of the installation is in a list', async () => {
  const routes = await describedRoutes(api.fabula().url);
  const may = routes.filter(({ path, tag }) => tag === 'Info' || /^\/api\/v\d\/admin\//.test(path));
  const listed = [...OF_INSTALLATION, ...Object.keys(IN_PART), ...OF_TENANT];
  const names = new Set(routes.map(nameOf));
  expect(may.map(nameOf).filter((name) => !listed.includes(name))).toEqual([]);
  expect(listed.filter((name) => !names.has(name))).toEqual([]);
});

const nameOf = ({ method, path }: { method: string; path: string }) => `${method.toUpperCase()} ${path}`;

it.each(OF_INSTALLATION)('S7: %s is for no Owner where there are several tenants', async (request) => {
  for (const key of await ownersOfOne()) expect((await api.call(key, request)).status).toBe(403);
  const { key } = await buildOperator(stores);
  expect((await api.call(key, request)).status).toBe(200);
});

it.each(Object.entries(IN_PART))(
  'S7: the part of %s that tells of the installation is null for Owners of one of several tenants',
  async (request, part) => {
    for (const key of await ownersOfOne()) expect(part((await api.call(key, request)).body)).toBeNull();
    const { key } = await buildOperator(stores);
    expect(part((await api.call(key, request)).body)).not.toBeNull();
  },
);

it('S7: the reasons of a status say nothing of the installation to an Owner of one of several tenants', async () => {
  const [key = ''] = await ownersOfOne();
  const queue = queueOf(api.fabula(), 'trigger', stores);
  await queue.add('waits', {}, { timestamp: Date.now() - 120_000 });
  expect((await api.call(key, 'GET /api/v1/status')).body).toMatchObject({ state: 'ok', reasons: [] });
  await queue.drain();
});
