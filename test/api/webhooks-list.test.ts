import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { startFabula } from '../support/fabula.js';
import { type Parsed, TIME, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';
import { agent, smallExport } from '../support/stories.js';

const stores = useStores();
const api = useManageApi(stores, {
  queues: [],
  relay: false,
  env: { WEBHOOK_RATE_LIMIT_PER_MINUTE: '30', REFUSED_CALLS_PER_MINUTE: '0' },
});

let paths = 0;

/** A story with one webhook, whose verbs are POST. */
async function withWebhook(options: object = {}) {
  const account = await buildAccount(stores.db, { owner: true });
  const path = `hook-${process.pid}-${++paths}`;
  const hook = agent('Agents::WebhookAgent', 'a', {
    path,
    secret: 'a long secret',
    verbs: 'post',
    ...options,
  });
  const { body: story } = await api.call(account.key, 'POST /api/v1/stories/import', {
    new_name: 'Triage',
    team_id: account.team.id,
    data: smallExport({ agents: [hook], links: [] }),
  });
  const list = `GET /api/v1/webhooks?story_id=${story.id}`;
  const read = async (key = account.key): Promise<Parsed> => (await api.call(key, list)).body.webhooks[0];
  return { account, story, path, read, list, url: `/webhook/${path}/a%20long%20secret` };
}

const send = (address: string, init: RequestInit = {}) =>
  fetch(api.fabula().url + address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
    ...init,
  });

const colleague = async ({ account }: Awaited<ReturnType<typeof withWebhook>>, role: 'VIEWER' | 'EDITOR') =>
  (await buildAccount(stores.db, { team: account.team, role })).key;

describe('the list of webhooks', () => {
  it('gives a webhook that was never called, whole', async () => {
    const { account, story, path, read, url } = await withWebhook();
    expect(await read()).toEqual({
      id: expect.any(Number),
      name: expect.any(String),
      disabled: false,
      team_id: account.team.id,
      story: { id: story.id, name: 'Triage', disabled: false },
      path,
      secret: 'a long secret',
      url: api.fabula().url + url,
      verbs: ['POST'],
      counts: null,
      calls: [],
      refusals: [],
    });
  });

  it('gives the calls that were accepted, with the run of each', async () => {
    const { read, url } = await withWebhook();
    const response = await send(url);
    const webhook = await eventually(async () => {
      const found = await read();
      return found.calls.length > 0 && found;
    });
    expect(webhook).toMatchObject({
      counts: { since: TIME, accepted: 1, refused: {}, unrecorded: 0 },
      calls: [
        {
          at: TIME,
          status: 201,
          bytes: 7,
          address: '127.0.0.1',
          content_type: 'application/json',
          story_run_guid: response.headers.get('x-service-story-run'),
        },
      ],
      refusals: [],
    });
  });

  it('names the reason of each refusal', async () => {
    const { read, url, path } = await withWebhook();
    await send(`/webhook/${path}/wrong`);
    await send(url, { method: 'PUT' });
    await send(url, { body: '{' });
    await send(url, { headers: { 'content-encoding': 'unknown' } });
    const { refusals, counts } = await eventually(async () => {
      const found = await read();
      return found.refusals.length === 4 && found;
    });
    expect(refusals.map(({ status, reason, method }: Parsed) => [status, reason, method])).toEqual(
      expect.arrayContaining([
        [401, 'unauthorized', 'POST'],
        [405, 'method_not_allowed', 'PUT'],
        [400, 'bad_request', 'POST'],
        [415, 'bad_request', 'POST'],
      ]),
    );
    expect(refusals.find(({ status }: Parsed) => status === 400).message).toMatch(/JSON/);
    expect(counts).toMatchObject({
      accepted: 0,
      refused: { unauthorized: 1, method_not_allowed: 1, bad_request: 2 },
    });
  });

  it('tells of calls of a disabled story, and of those over the limit', async () => {
    const disabled = await withWebhook();
    await api.call(disabled.account.key, `POST /api/v1/stories/${disabled.story.id}/disable`);
    await eventually(async () => (await send(disabled.url)).status === 404);
    const busy = await withWebhook();
    await eventually(async () => (await send(busy.url)).status === 429);
    await eventually(async () => (await disabled.read()).refusals[0]?.reason === 'disabled');
    await eventually(async () => (await busy.read()).counts?.refused.limited > 0);
    expect((await busy.read()).refusals[0]).toMatchObject({ reason: 'limited', status: 429 });
  });

  it('keeps the last 20 calls and counts all of them', async () => {
    const { read, url } = await withWebhook();
    const guids: string[] = [];
    for (let calls = 0; calls < 25; calls += 1) {
      guids.unshift((await send(url)).headers.get('x-service-story-run')!);
    }
    const { calls } = await eventually(async () => {
      const found = await read();
      return found.counts?.accepted === 25 && found;
    });
    expect(calls).toHaveLength(20);
    expect(new Set(calls.map(({ story_run_guid }: Parsed) => story_run_guid))).toEqual(
      new Set(guids.slice(0, 20)),
    );
  });

  it('shows what another web process received', async () => {
    const { read, url } = await withWebhook();
    const env = { QUEUE_PREFIX: api.fabula().config.queuePrefix };
    const second = await startFabula(stores, { queues: [], relay: false, env });
    const response = await eventually(async () => {
      const given = await fetch(second.url + url, { method: 'POST' });
      return given.status === 201 && given;
    });
    const guid = response.headers.get('x-service-story-run');
    await eventually(async () => (await read()).calls[0]?.story_run_guid === guid);
  });

  it('shows no secret to who may not write', async () => {
    const webhook = await withWebhook();
    const shown = await webhook.read(await colleague(webhook, 'VIEWER'));
    expect(shown).toMatchObject({
      secret: null,
      url: `${api.fabula().url}/webhook/${webhook.path}`,
      path: webhook.path,
    });
    expect(JSON.stringify(shown)).not.toContain('long');
    expect(await webhook.read(await colleague(webhook, 'EDITOR'))).toMatchObject({ secret: 'a long secret' });
  });

  it('is of the teams of the caller, and has pages', async () => {
    const one = await withWebhook();
    const stranger = await withWebhook();
    const { body } = await api.call(one.account.key, 'GET /api/v1/webhooks?per_page=1');
    expect(body.webhooks.map(({ path }: Parsed) => path)).toEqual([one.path]);
    expect(body.meta).toMatchObject({ count: 1, per_page: 1 });
    expect((await api.call(stranger.account.key, one.list)).status).toBe(404);
    const ofTeam = `GET /api/v1/webhooks?team_id=${one.account.team.id}`;
    expect((await api.call(one.account.key, ofTeam)).body.webhooks).toHaveLength(1);
    expect((await api.call(stranger.account.key, ofTeam)).status).toBe(404);
  });

  it('leaves out webhooks of drafts unless they are asked for', async () => {
    const { account, story, path } = await withWebhook();
    const draft = await api.call(account.key, `POST /api/v1/stories/${story.id}/drafts`, { name: 'D' });
    expect(draft.status).toBe(200);
    const shown = async (query: string) =>
      (await api.call(account.key, `GET /api/v1/webhooks?${query}`)).body.webhooks.map(
        (webhook: Parsed) => webhook.path,
      );
    expect(await shown('')).toEqual([path]);
    expect(await shown('mode=TEST')).toEqual([expect.not.stringMatching(`^${path}$`)]);
  });
});

describe('one webhook', () => {
  it('is found by the id of its action, which must be a webhook', async () => {
    const { account, read, story } = await withWebhook();
    const webhook = await read();
    expect((await api.call(account.key, `GET /api/v1/webhooks/${webhook.id}`)).body).toEqual(webhook);
    const { body: trigger } = await api.call(account.key, 'POST /api/v1/actions', {
      story_id: story.id,
      type: 'Agents::TriggerAgent',
      name: 'T',
      options: { rules: [] },
    });
    expect((await api.call(account.key, `GET /api/v1/webhooks/${trigger.id}`)).status).toBe(404);
  });
});

describe('what cannot be used to fill Redis', () => {
  it('is an address that no webhook has', async () => {
    const { read, url } = await withWebhook();
    const index = `${api.fabula().config.queuePrefix}:webhook-calls`;
    const before = await stores.redis.zcard(index);
    for (let calls = 0; calls < 5; calls += 1) await send(`/webhook/no-such-path-${calls}/x`);
    await send(url);
    await eventually(async () => (await read()).counts?.accepted === 1);
    expect(await stores.redis.zcard(index)).toBe(before + 1);
  });
});
