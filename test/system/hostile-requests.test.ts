import { createConnection } from 'node:net';
import { Agent, request } from 'undici';
import { checkInput } from '../../src/api/request/route-input.js';
import { ROUTES } from '../../src/app/routes.js';
import { startTestApp } from '../support/app.js';
import { type Account, buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { startFabula } from '../support/fabula.js';
import { type HostileRequest, hostileRequest, seededRandom, withIds } from '../support/hostile-requests.js';
import { useStores } from '../support/stores.js';

const COUNT = Number(process.env['HOSTILE_COUNT'] ?? 2_000);
const AT_ONCE = 8;
const seed = Number(process.env['HOSTILE_SEED'] ?? 20261121);

/** Tables that a write may always change: it is remembered. */
const NOT_COMPARED = new Set(['audit_logs', 'leases', 'migrations', 'migrations_lock']);
/** Details that no error may show. */
const LEAKS = /\bat .+\.[jt]s:\d|node_modules|\bER_[A-Z_]+\b|SELECT .+ FROM|INSERT INTO|errno|ECONN/;

/** A stream would go on after its request. */
const ENDING_ROUTES = ROUTES.filter(({ docs }) => docs?.contentType === undefined);
/** Routes by which all users change their own settings. */
const SELF_SERVICE = /^\/api\/v1\/(?:api_keys|users\/me)/;

const stores = useStores();

interface Outcome {
  sent: HostileRequest;
  status: number;
  text: string;
}

/** Whether the route's own schemas refuse the request, so that even an Owner's cannot change anything. */
function isRefusedByForm({ route, body, headers }: HostileRequest): boolean {
  if (route.method === 'get') return true;
  if (body === undefined || body.length === 0) return false;
  if (headers['content-type'] !== 'application/json' || headers['content-encoding'] !== undefined)
    return true;
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    const { docs, ...rest } = route;
    const asked = { params: docs?.example.params ?? {}, query: {}, body: value };
    return checkInput(rest, asked).problems.length > 0;
  } catch {
    return true;
  }
}

/** A running server with one of everything in it. */
async function startFilled() {
  const fabula = await startFabula(stores, {
    queues: [],
    relay: false,
    env: { BODY_LIMIT_BYTES: '262144', RATE_LIMIT_PER_MINUTE: '0', RECORDS_LIST_RATE_LIMIT_PER_MINUTE: '0' },
  });
  const { team } = fabula.account;
  // Users and keys with the ids that are deleted most must not be those of a caller.
  for (let index = 0; index < 3; index++) await buildAccount(stores.db, { team });
  const ids = { team_id: team.id, record_type_id: 1 };
  const made = await fillFromExamples(fabula, ids);
  return { ...fabula, team, ids, made };
}

type Filled = Awaited<ReturnType<typeof startFilled>>;

/** Sends the seed's requests, each with the key that `keyOf` chooses. */
async function sendAll({ url, ids }: Filled, keyOf: (sent: HostileRequest) => string): Promise<Outcome[]> {
  const random = seededRandom(seed);
  const requests = Array.from({ length: COUNT }, () => hostileRequest(ENDING_ROUTES, ids, random));
  const agent = new Agent({ connections: AT_ONCE });
  const outcomes = await inParallel(requests, async (sent) => {
    const response = await request(url + sent.target.replaceAll(' ', '%20'), {
      method: sent.method as 'GET',
      headers: { 'x-user-token': keyOf(sent), ...sent.headers },
      body: sent.body ?? null,
      dispatcher: agent,
      headersTimeout: 20_000,
    });
    return { sent, status: response.statusCode, text: await response.body.text() };
  });
  await agent.close();
  return outcomes;
}

test(`${COUNT} malformed requests (seed ${seed}): none gives 500, none changes a row`, async () => {
  const fabula = await startFilled();
  const account = await buildAccount(stores.db, { tenantId: fabula.team.tenantId, owner: true });
  const viewer = await buildAccount(stores.db, { team: fabula.team, role: 'VIEWER' });
  expect(fabula.made).toBeGreaterThan(5);
  await settle(fabula.url, [account, viewer]);
  // The time of the stories that were checked to fill it is written some seconds later.
  await eventually(async () => (await usedTime()) > 0);
  // The last use of a key is noted once a minute, and the requests may take longer.
  await stores.sql('UPDATE api_keys SET last_used_at = NOW(3) + INTERVAL 1 DAY', []);
  const before = await checksums();
  const outcomes = await sendAll(fabula, (sent) => {
    if (isRefusedByForm(sent)) return account.key;
    return SELF_SERVICE.test(sent.target) ? 'none' : viewer.key;
  });

  expect(outcomes.filter((one) => isWrong(one) || isWrite(one)).map(told)).toEqual([]);
  expect(await checksums()).toEqual(before);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  const seen = new Set(outcomes.map(({ status }) => status));
  for (const status of [200, 400, 403, 404, 413, 415, 422, 431]) expect(seen).toContain(status);
  await fabula.close();
});

test(`an Owner's ${COUNT} requests (seed ${seed}), well-formed ones among them: none gives 500`, async () => {
  const fabula = await startFilled();
  const owner = await buildAccount(stores.db, { tenantId: fabula.account.tenantId, owner: true });
  const outcomes = await sendAll(fabula, () => owner.key);
  expect(outcomes.filter(isWrong).map(told)).toEqual([]);
  const statuses = outcomes.map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toEqual([]);
  expect(outcomes.filter(isWrite).length).toBeGreaterThan(10);
  await fabula.close();
});

test.each([
  ['no HTTP at all', 'hello\r\n\r\n', 400],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
  [
    'length and chunks',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    400,
  ],
  ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n', 400],
  ['no host', 'GET /health HTTP/1.1\r\n\r\n', 400],
  ['endless headers', `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(80_000)}\r\n\r\n`, 431],
])('%s is refused in the shape of every error', async (_what, bytes, status) => {
  const app = await startTestApp(stores, { routes: [], services: {} });
  const text = await exchange(app.url, bytes);
  const [head, body] = text.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toMatch(/\r\nConnection: close(\r\n|$)/);
  expect(head).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
  expect(JSON.parse(body!)).toEqual({ errors: [{ message: expect.any(String) }] });
});

test.each([
  ['HTTP/1.0 without a host', 'GET /nothing HTTP/1.0\r\n\r\n'],
  [
    'an expectation nobody knows',
    'GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: foo\r\n\r\n',
  ],
])('%s is served as any other', async (_what, bytes) => {
  const app = await startTestApp(stores, { routes: [], services: {} });
  const [head, body] = (await exchange(app.url, bytes)).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1.1 404 [^]*\r\nX-Request-Id: /);
  expect(JSON.parse(body!)).toEqual({ errors: [{ message: 'GET /nothing not found' }] });
});

/** Everything that comes back for these bytes until the connection ends. */
function exchange(url: string, bytes: string): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.once('error', reject);
    socket.once('close', () => resolve(Buffer.concat(chunks).toString()));
  });
}

/** A fault of the server, or an error without shape or with something to hide. */
function isWrong({ status, text }: Outcome): boolean {
  if (status >= 500) return true;
  if (status < 400) return false;
  try {
    const { errors } = JSON.parse(text) as { errors: { message: string }[] };
    return errors.length === 0 || errors.some(({ message }) => message === '') || LEAKS.test(text);
  } catch {
    return true;
  }
}

/** A write that was let through. */
function isWrite({ sent, status }: Outcome): boolean {
  return status < 400 && sent.method !== 'GET';
}

function told({ sent, status, text }: Outcome): string {
  const body = sent.body === undefined ? '' : ` ${sent.body.toString().slice(0, 300)}`;
  return `${status} ${sent.method} ${sent.target.slice(0, 200)} [${sent.trick}]${body} → ${text.slice(0, 300)}`;
}

/** Makes one of everything that can be made with an example alone, so that there is something to be harmed. Gives how many. */
async function fillFromExamples(
  { url, account }: { url: string; account: Account },
  ids: Record<string, number>,
): Promise<number> {
  let made = 0;
  for (const route of ROUTES.filter(({ method, path }) => method === 'post' && !path.includes(':'))) {
    const example = route.docs?.example.body;
    if (typeof example !== 'object' || example === null) continue;
    const response = await request(url + route.path, {
      method: 'POST',
      headers: { 'x-user-token': account.key, 'content-type': 'application/json' },
      body: JSON.stringify(withIds(example, ids)),
    });
    await response.body.dump();
    if (response.statusCode < 300) made += 1;
  }
  return made;
}

/** Waits until the use of both keys is noted: it is noted once a minute. */
async function settle(url: string, accounts: Account[]): Promise<void> {
  for (const { key } of accounts)
    await request(`${url}/api/v1/stories`, { headers: { 'x-user-token': key } });
  const ids = accounts.map(({ keyId }) => keyId);
  await eventually(async () => {
    const [row] = await stores.db.read((session) =>
      session.rows<{ used: number }>(
        'SELECT COUNT(*) AS used FROM api_keys WHERE id IN (?) AND last_used_at IS NOT NULL',
        [ids],
      ),
    );
    return row?.used === ids.length;
  });
}

/** Milliseconds of processor time that are written for quotas. */
async function usedTime(): Promise<number> {
  const rows = await stores.db.read((session) =>
    session.rows<{ ms: number }>('SELECT cpu_ms AS ms FROM tenant_usage'),
  );
  return rows.reduce((sum, { ms }) => sum + ms, 0);
}

/** A checksum over the rows of every table. */
function checksums(): Promise<Record<string, unknown>> {
  return stores.db.read(async (session) => {
    const tables = await session.rows<{ name: string }>(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
    );
    const names = tables.map(({ name }) => name).filter((name) => !NOT_COMPARED.has(name));
    const sums = await session.rows<{ Table: string; Checksum: number }>(
      `CHECKSUM TABLE ${names.join(', ')}`,
    );
    return Object.fromEntries(sums.map(({ Table, Checksum }) => [Table, Checksum]));
  });
}

async function inParallel<In, Out>(items: In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  const queue = items.entries();
  const lane = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}
