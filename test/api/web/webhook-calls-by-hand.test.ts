import type { JsonObject } from '../../../src/platform/json.js';
import { buildAccount } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { agentIds, call, runsOf } from '../../support/run-api.js';
import { storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';
import { useFabula } from '../../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores);

async function withHook(options: JsonObject) {
  const { id } = await fabula.importStory(
    storyOf({ Hook: ['Webhook', options], Next: ['Trigger', { rules: [] }] }, ['Hook > Next']),
  );
  const { Hook: hook = 0, Next: next = 0 } = await agentIds(fabula, id);
  return { id, hook, next };
}

const byHand = async (id: number, body: JsonObject) => {
  const response = await call(fabula, `POST /api/v1/webhooks/${id}/call`, { body });
  return { http: response.status, ...(response.body as JsonObject) };
};

test('a call by hand goes through the address of the webhook, and starts a run', async () => {
  const { id, hook } = await withHook({
    response: { hello: '<<host>>' },
    response_code: 202,
    response_headers: { 'x-own': 'yes' },
  });
  const answered = await byHand(hook, {
    body: { host: 'web-1' },
    query: { from: 'query' },
    headers: { 'X-Event': 'push', 'Content-Length': '1', Host: 'other.example' },
  });
  expect(answered).toMatchObject({ http: 200, status: 202, truncated: false });
  expect(JSON.parse((answered as { body?: string }).body ?? '')).toEqual({ hello: 'web-1' });
  expect((answered as JsonObject).headers).toMatchObject({ 'x-own': 'yes' });
  await fabula.settled();
  const [run] = await runsOf(fabula, id);
  expect(run!.guid).toBe((answered as JsonObject).story_run_guid);
  const { body } = await call(fabula, `GET /api/v1/stories/${id}/runs/${run!.guid}`);
  const [event] = (body as { events: { payload: JsonObject }[] }).events;
  expect(event!.payload).toMatchObject({
    body: { from: 'query', host: 'web-1' },
    headers: { 'x-event': 'push', 'content-type': 'application/json' },
  });
});

test('a webhook refuses by hand what it refuses from outside', async () => {
  const { id, hook, next } = await withHook({ verbs: 'post' });
  expect(await byHand(hook, { method: 'PUT' })).toMatchObject({
    http: 200,
    status: 405,
    story_run_guid: null,
  });
  await fabula.api('PUT', `/api/v1/actions/${hook}`, { disabled: true });
  expect(await byHand(hook, {})).toMatchObject({ http: 200, status: 404, story_run_guid: null });
  expect(await runsOf(fabula, id)).toEqual([]);
  expect((await byHand(next, {})).http).toBe(404);
  expect((await byHand(hook, { headers: { 'bad name': 'x' } })).http).toBe(422);
  expect((await byHand(hook, { headers: { good: 'line\nbreak' } })).http).toBe(422);
});

test('a draft is called at an address of its own; viewers and strangers may not call', async () => {
  const { id, hook } = await withHook({});
  const { body } = await call(fabula, `POST /api/v1/stories/${id}/drafts`, { body: { name: 'Try' } });
  const { id: draft } = body as { id: number };
  const { body: listed } = await call(fabula, `GET /api/v1/webhooks?draft_id=${draft}&story_id=${id}`);
  const [own] = (listed as { webhooks: { id: number; url: string }[] }).webhooks;
  expect(own!.id).not.toBe(hook);
  const answered = await byHand(own!.id, { body: { a: 1 } });
  expect(answered).toMatchObject({ status: 201 });
  await fabula.settled();
  const { body: runs } = await call(fabula, 'GET /api/v1/runs?story_mode=TEST');
  expect((runs as { story_runs: JsonObject[] }).story_runs).toMatchObject([
    { draft_id: draft, guid: (answered as JsonObject).story_run_guid },
  ]);
  const viewer = await buildAccount(stores.db, { team: fabula.account.team, role: 'VIEWER' });
  const stranger = await buildAccount(stores.db);
  const as = async (who: typeof viewer) =>
    (await call(fabula, `POST /api/v1/webhooks/${hook}/call`, { body: {}, as: who })).status;
  expect([await as(viewer), await as(stranger)]).toEqual([403, 404]);
});

test('a call by hand has the address of its caller', async () => {
  const { hook } = await withHook({});
  await byHand(hook, { headers: { 'X-Forwarded-For': '203.0.113.9' } });
  await byHand(hook, { method: 'PUT' });
  await eventually(async () => {
    const { body } = await call(fabula, `GET /api/v1/webhooks/${hook}`);
    const { calls, refusals } = body as Record<'calls' | 'refusals', { address: string }[] | null>;
    return [calls, refusals].every((list) => list?.[0]?.address.endsWith('127.0.0.1'));
  });
});
