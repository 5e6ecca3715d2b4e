import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createSharedCalls } from '../../src/web/mcp/shared-calls.js';
import { createRedis } from '../../src/platform/redis/redis.js';
import { type Account, buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { useManageApi } from '../support/manage-api.js';
import { connectOverHttp, connectOverStdio, type McpTestClient } from '../support/mcp-client.js';
import { builtFile } from '../support/processes.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores, { queues: [], relay: false });
const opened: McpTestClient[] = [];
let account: Account;
let target: HttpTarget;
beforeEach(async () => {
  account = await buildAccount(stores.db, { owner: true });
  target = await startHttpTarget({ rules: { '/hangs': { hang: true } } });
});
afterEach(async () => {
  for (const client of opened.splice(0)) await client.close();
  await target.close();
});

const ways = { HTTP: connectOverHttp, stdio: connectOverStdio };

async function connect(way: keyof typeof ways): Promise<McpTestClient> {
  const client = await ways[way](api.fabula().url, account.key);
  opened.push(client);
  return client;
}

/** Arguments of the trial of an action whose request gets no response. */
async function waitingTrial() {
  const data = storyOf({ Ask: ['HTTPRequest', { url: `${target.url}/hangs`, method: 'get' }] }, []);
  const story = { new_name: 'Waits', data, team_id: account.team.id };
  const { id } = (await api.call(account.key, 'POST /api/v1/stories/import', story)).body;
  const { body } = await api.call(account.key, `GET /api/v1/stories/${id}/agents`);
  return { id: body.agents[0].id as number, send: true };
}

/** Resolves when the request of the action has reached its server, which has not been left alone yet. */
async function underWay(): Promise<void> {
  // On a busy machine, the first thread takes long to load its code.
  await target.waitForRequests(1, 60_000);
  expect(target.abandoned()).toBe(0);
}

/** Resolves when the server of the request sees that its connection was closed. */
const connectionClosed = () => eventually(() => target.abandoned() === 1);

const dryRunAudited = () =>
  eventually(async () => {
    const { body } = await api.call(account.key, 'GET /api/v1/audit_logs');
    return body.audit_logs.some(({ action }: { action: string }) => action === 'agent.dry_run');
  });

const post = (message: object, { headers = {}, signal }: { headers?: object; signal?: AbortSignal } = {}) =>
  fetch(`${api.fabula().url}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${account.key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    ...(signal && { signal }),
  });
const callOf = (id: string | number, given: object) => ({
  id,
  method: 'tools/call',
  params: { name: 'dry_run_action', arguments: given },
});
const cancelOf = (requestId: string | number) => ({
  method: 'notifications/cancelled',
  params: { requestId, reason: 'The user does not want it' },
});

describe.each(['HTTP', 'stdio'] as const)('over %s the request of a call ends', (way) => {
  it('when the client cancels the call, and the client goes on', async () => {
    const given = await waitingTrial();
    const { client, tool } = await connect(way);
    const user = new AbortController();
    const call = client.callTool({ name: 'dry_run_action', arguments: given }, undefined, {
      signal: user.signal,
    });
    const outcome = expect(call).rejects.toThrow();
    await underWay();
    user.abort();
    await outcome;
    await connectionClosed();
    expect((await tool('get_me')).isError).toBe(false);
    await dryRunAudited();
  });

  it('when the client goes', async () => {
    const given = await waitingTrial();
    const mcp = await connect(way);
    const call = mcp.client.callTool({ name: 'dry_run_action', arguments: given });
    const outcome = expect(call).rejects.toThrow();
    await underWay();
    await mcp.close();
    await outcome;
    await connectionClosed();
  });

  it('of the trial of a story, too', async () => {
    const data = storyOf({ Ask: ['HTTPRequest', { url: `${target.url}/hangs`, method: 'get' }] }, []);
    const given = { story: data, team_id: account.team.id, event: {}, action: 'Ask', send: true };
    const { client } = await connect(way);
    const user = new AbortController();
    const call = client.callTool({ name: 'create_trial', arguments: given }, undefined, {
      signal: user.signal,
    });
    const outcome = expect(call).rejects.toThrow();
    await underWay();
    user.abort();
    await outcome;
    await connectionClosed();
  });
});

it('the command ends with its standard input, and so does the request of its call', async () => {
  const given = await waitingTrial();
  const { PATH = '' } = process.env;
  const command = spawn(process.execPath, [builtFile('cli'), 'mcp'], {
    env: { PATH, FABULA_URL: api.fabula().url, FABULA_KEY: account.key },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(command, 'exit');
  command.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...callOf(1, given) })}\n`);
  await underWay();
  command.stdin.end();
  expect(await exited).toEqual([0, null]);
  await connectionClosed();
});

describe('a message that cancels a call', () => {
  it.each([7, 'seven', 0])('names it by its id: %j. The call gets no response', async (id) => {
    const given = await waitingTrial();
    const response = post(callOf(id, given));
    await underWay();
    expect((await post(cancelOf(id))).status).toBe(202);
    const { status, text } = await response.then(async (got) => ({
      status: got.status,
      text: await got.text(),
    }));
    expect([status, text]).toEqual([202, '']);
    await connectionClosed();
  });

  it('of another key, client or id cancels nothing', async () => {
    const given = await waitingTrial();
    const mine = { 'mcp-session-id': 'mine' };
    const leaving = new AbortController();
    const response = post(callOf(7, given), { headers: mine, signal: leaving.signal }).catch(() => 'left');
    await underWay();
    const other = await buildAccount(stores.db, { owner: true });
    const foreign = { ...mine, Authorization: `Bearer ${other.key}` };
    for (const [id, headers] of [
      [8, mine],
      ['7', mine],
      [7, { 'mcp-session-id': 'other' }],
      [7, {}],
      [7, foreign],
    ] as const)
      expect((await post(cancelOf(id), { headers })).status).toBe(202);
    expect((await post({ method: 'notifications/cancelled' }, { headers: mine })).status).toBe(202);
    expect((await post({ id: 9, method: 'ping' }, { headers: mine })).status).toBe(200);
    expect(target.abandoned()).toBe(0);
    leaving.abort();
    expect(await response).toBe('left');
    await connectionClosed();
  });

  it('is for calls of the client that the server named when it initialized', async () => {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    const names = [];
    for (const _ of [1, 2]) {
      const response = await post({ id: 0, method: 'initialize', params });
      names.push(response.headers.get('mcp-session-id'));
    }
    expect(names).toEqual([expect.any(String), expect.any(String)]);
    expect(names[0]).not.toBe(names[1]);
  });

  it('reaches a call that another process carries out', async () => {
    const place = { redisUrl: stores.redisUrl, redisTlsRejectUnauthorized: true };
    const shared = () => {
      const subscriber = createRedis(place, 'subscriber', stores.logger);
      stores.onClose(() => subscriber.disconnect());
      return createSharedCalls({ redis: stores.redis, subscriber, prefix: 'cancels', logger: stores.logger });
    };
    const [here, there] = [shared(), shared()];
    const name = { keyId: 1, client: 'a', id: 7 };
    const { cancelled } = here.begin(name);
    await eventually(() => {
      there.cancel(name);
      return cancelled.aborted;
    });
    await here.close();
    await there.close();
  });
});
