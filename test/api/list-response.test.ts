import { createConnection, type Socket } from 'node:net';
import Joi from 'joi';
import { request } from 'undici';
import { Conflict } from '../../src/platform/errors.js';
import { defineRoute, ListResponse } from '../../src/api/route.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { useStores } from '../support/stores.js';

const PATH = '/api/v1/things';
const LARGE = 'ö"\n\u2028'.repeat(50_000);
const meta = { count: 3, next_page: null };

const stores = useStores();
let app: TestApp;
let key: string;
/** Rows that the endless list has produced, and whether it was stopped. */
let given = 0;
let ended = false;

async function* thingsOf(texts: string[], fault?: Error) {
  for (const text of texts) yield { text };
  if (fault !== undefined) throw fault;
}

async function* endless() {
  try {
    for (;;) {
      given += 1;
      yield { text: LARGE };
    }
  } finally {
    ended = true;
  }
}

const lists: Record<string, () => AsyncIterable<unknown>> = {
  empty: () => thingsOf([]),
  short: () => thingsOf(['a', 'b"']),
  long: () => thingsOf([LARGE, 'b', LARGE, LARGE, '']),
  failing: () => thingsOf(['a'], new Conflict('Not now')),
  'cut off': () => thingsOf([LARGE, LARGE], new Conflict('Not now')),
  endless,
};

const routes = [
  defineRoute<unknown, { list: string }, unknown, object>({
    method: 'get',
    path: PATH,
    summary: 'Lists things',
    query: Joi.object<{ list: string }>({ list: Joi.string().required() }),
    handle: ({ query }) => new ListResponse('things', lists[query.list]!(), meta),
  }),
];

beforeEach(async () => {
  app ??= await startTestApp(stores, { routes, services: {} });
  ({ key } = await buildAccount(stores.db));
  given = 0;
  ended = false;
});

const ask = (list: string, method: 'GET' | 'HEAD' = 'GET') =>
  request(`${app.url}${PATH}?list=${encodeURIComponent(list)}`, { method, headers: { 'x-user-token': key } });

/** A client that reads the first bytes of the endless list, and then no more. */
async function beginEndless(): Promise<Socket> {
  const socket = createConnection(Number(new URL(app.url).port), '127.0.0.1');
  socket.write(`GET ${PATH}?list=endless HTTP/1.1\r\nHost: x\r\nX-User-Token: ${key}\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  return socket;
}

it.each([
  ['empty', []],
  ['short', ['a', 'b"']],
  ['long', [LARGE, 'b', LARGE, LARGE, '']],
])('the response of a list that is %s is its JSON', async (list, texts) => {
  const { statusCode, headers, body } = await ask(list);
  const text = await body.text();
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  expect(text === JSON.stringify({ things: texts.map((each) => ({ text: each })), meta })).toBe(true);
  expect(headers['content-length']).toBe(list === 'long' ? undefined : String(text.length));
  const head = await ask(list, 'HEAD');
  expect([head.statusCode, await head.body.text()]).toEqual([200, '']);
});

it('an error before anything was sent is answered as any other', async () => {
  const { statusCode, body } = await ask('failing');
  expect([statusCode, await body.json()]).toEqual([409, { errors: [{ message: 'Not now' }] }]);
});

it('an error after that cuts the response off, and nothing else', async () => {
  const { statusCode, body } = await ask('cut off');
  expect(statusCode).toBe(200);
  await expect(body.text()).rejects.toThrow();
  expect((await ask('short')).statusCode).toBe(200);
});

it('no more is made than a client reads, and none once it is gone', async () => {
  const socket = await beginEndless();
  // Only as much is made as the system's queues take; then others are served, and nothing more is made meanwhile.
  await eventually(async () => {
    const before = given;
    for (let call = 0; call < 20; call += 1) expect((await ask('short')).statusCode).toBe(200);
    return given === before;
  });
  const before = given;
  expect(ended).toBe(false);
  socket.destroy();
  await eventually(() => ended);
  expect(given).toBe(before);
});

it.each([
  ['the key is revoked', 'UPDATE api_keys SET revoked_at = NOW(3)'],
  ['the role is taken away', 'DELETE FROM memberships'],
])('nothing more is sent when %s meanwhile', async (_what, sql) => {
  async function* untilThen() {
    yield { text: LARGE };
    await stores.sql(sql);
    yield { text: LARGE };
    yield { text: LARGE };
  }
  lists['ended'] = untilThen;
  const strict = await startTestApp(stores, { routes, services: {}, keyHoldsMs: 0 });
  const headers = { 'x-user-token': key };
  const { statusCode, body } = await request(`${strict.url}${PATH}?list=ended`, { headers });
  expect(statusCode).toBe(200);
  await expect(body.text()).rejects.toThrow();
});
