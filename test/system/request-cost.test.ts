import { appendFileSync } from 'node:fs';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { JsonObject } from '../../src/platform/json.js';
import { createFormulaLanguage } from '../../src/language/formula/formula-language.js';
import { type Account, buildAccount } from '../support/builders.js';
import { cpuMsOfSync } from '../support/cpu-time.js';
import { clientOf } from '../support/fabula-client.js';
import { type Cost, type ProbedWeb, startProbedWeb } from '../support/probed-web.js';
import { type ShortAgent, smallExport, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { templateScope } from '../support/template-scope.js';

const stores = useStores();
const MiB = 1024 * 1024;
/** The limit of a body: what is larger is refused unread. */
const MOST = 10 * MiB - 1024;
/**
 * One request may hold the loop for 50 ms at a time. What is measured here is all the processor time that the loop's thread spends on a
 * request, a body of 10 MB received and stored included, on a machine that may be three times as slow.
 */
const MOST_LOOP_MS = 300;
const MOST_GROWN_MB = 160;

const repeated = (text: string, bytes = MOST) => text.repeat(Math.floor(bytes / text.length));
const form = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data; boundary=b';

/** The worst bodies of each type: name, content type, body. */
const BODIES: [string, string, () => string][] = [
  ['JSON that is deep', 'application/json', () => repeated('[')],
  ['JSON that is deep and closed', 'application/json', () => repeated('[', 5 * MiB) + repeated(']', 5 * MiB)],
  ['JSON of objects', 'application/json', () => `[${repeated('{},')}1]`],
  ['JSON of as many objects as may be', 'application/json', () => `[${'{},'.repeat(99_000)}1]`],
  ['JSON of numbers', 'application/json', () => `[${repeated('1,')}1]`],
  [
    'JSON of nested lists',
    'application/json',
    () => `[${repeated(`${'['.repeat(400)}${']'.repeat(400)},`)}1]`,
  ],
  [
    'JSON of keys',
    'application/json',
    () => `{${Array.from({ length: 600_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
  ],
  ['JSON of escapes', 'application/json', () => `["${repeated('\\u00e9')}"]`],
  ['JSON in text', 'text/plain', () => `[${repeated('{},')}1]`],
  ['text', 'text/plain', () => repeated('x')],
  ['text of quotes', 'text/plain', () => repeated("it's ")],
  ['text of double quotes', 'text/plain', () => repeated('"')],
  [
    'text that looks like references',
    'text/plain',
    () => repeated(`~fabula-secret~0${Buffer.from(`${'x'.repeat(16)}[1,"a"]`).toString('base64url')}~`),
  ],
  ['a form of one deep name', form, () => `a${repeated('[x]')}`],
  ['a form of a name that is not closed', form, () => `a${repeated('[')}`],
  ['a form of deep names', form, () => repeated(`a${'[x]'.repeat(31)}&`)],
  ['a form of lists', form, () => 'a[][b]=1&'.repeat(9_999)],
  ['a form of nothing', form, () => repeated('&')],
  ['a form of percent signs', form, () => `a=${repeated('%e9')}`],
  ['XML of spaces', 'text/xml', () => `<a${repeated(' ')}/>`],
  ['XML of text', 'text/xml', () => `<a>${repeated('x')}</a>`],
  ['XML of one attribute', 'text/xml', () => `<a b="${repeated('x')}"/>`],
  ['XML of one name', 'text/xml', () => `<${repeated('x')}/>`],
  ['XML of a document type', 'text/xml', () => `<!DOCTYPE a [${repeated(' ')}]><a/>`],
  [
    'XML of entities',
    'text/xml',
    () => `<!DOCTYPE a [<!ENTITY b "${repeated('x', MiB)}">]><a>${repeated('&b;', MiB)}</a>`,
  ],
  ['XML of tags', 'text/xml', () => `<a>${'<b/>'.repeat(199_000)}</a>`],
  ['XML of comments', 'text/xml', () => `<a><!--${repeated('-x')}--></a>`],
  ['XML of sections', 'text/xml', () => `<a>${repeated('<![CDATA[x]]>')}</a>`],
  ['XML of brackets', 'text/xml', () => `<a>${repeated('>')}</a>`],
  ['multipart of headers', multipart, () => `--b\r\n${repeated('a:b\r\n')}\r\n\r\n--b--`],
  [
    'multipart of a near boundary',
    multipart,
    () => `--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n${repeated('\r\n--')}\r\n--b--`,
  ],
  [
    'multipart of line ends',
    multipart,
    () => `--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n${repeated('\r')}\r\n--b--`,
  ],
  [
    'multipart of one file',
    multipart,
    () => `--b\r\ncontent-disposition: form-data; name="a"; filename="x"\r\n\r\n${repeated('z')}\r\n--b--`,
  ],
];

interface Scene {
  owner: Account;
  viewer: Account;
  address: string;
}

let web: ProbedWeb;
let scene: Scene;
let paths = 0;
/** The web process outlives a story that is gone: no path is used again. */
const newPath = () => `cost-${++paths}`;

beforeAll(async () => {
  web = await startProbedWeb(stores, { RATE_LIMIT_PER_MINUTE: '0' });
  await setScene();
  // The threads start, and what is only done once is done.
  for (const [, type, body] of BODIES.slice(8, 10)) await callWebhook(type, Buffer.from(body()));
  await callApi(scene.owner, 'POST', '/api/v1/folders', Buffer.from(`{"name":"${repeated('x', 100_000)}"}`));
});
beforeEach(setScene);

async function setScene(): Promise<void> {
  const owner = await buildAccount(stores.db, { owner: true });
  const viewer = await buildAccount(stores.db, { team: owner.team, role: 'VIEWER' });
  const hook: ShortAgent = ['Webhook', { path: newPath(), secret: 'open sesame', verbs: 'post' }];
  const story = await clientOf({ url: web.url, account: owner, stores }).importStory(
    storyOf({ Hook: hook }, []),
  );
  scene = { owner, viewer, address: String(Object.values(story.webhooks)[0]) };
}

function callWebhook(type: string, body: Buffer, headers: Record<string, string> = {}): Promise<number> {
  const { address } = scene;
  return statusOf(`${web.url}/webhook/${address}`, {
    method: 'POST',
    headers: { 'content-type': type, ...headers },
    body,
  });
}

function callApi(account: Account, method: string, route: string, body: Buffer): Promise<number> {
  const headers = {
    'x-user-token': account.key,
    'content-type': 'application/json',
    'content-encoding': 'gzip',
  };
  return statusOf(`${web.url}${route}`, { method, headers, body: gzipSync(body) });
}

async function statusOf(url: string, init: RequestInit): Promise<number> {
  const response = await fetch(url, init);
  await response.arrayBuffer();
  return response.status;
}

/** The first that is small enough, or the least of three: what else the machine does only adds. */
async function leastCost(
  name: string,
  work: () => Promise<number>,
  mostLoopMs = MOST_LOOP_MS,
): Promise<Cost> {
  let least: Cost | undefined;
  let status = 0;
  for (let tries = 0; tries < 3; tries += 1) {
    const cost = await web.costOf(async () => (status = await work()));
    if (least === undefined || cost.loopMs < least.loopMs) least = cost;
    if (least.loopMs < mostLoopMs && least.grownMb < MOST_GROWN_MB) break;
  }
  const { loopMs, delayMs, grownMb } = least as Cost;
  const table = process.env['COST_TABLE'];
  if (table !== undefined) {
    appendFileSync(
      table,
      `${name}\t${status}\t${loopMs.toFixed(0)}\t${delayMs.toFixed(0)}\t${grownMb.toFixed(0)}\n`,
    );
  }
  return least as Cost;
}

/** The costs that are too much, with their names. */
function tooMuch(costs: Map<string, Cost>): [string, Cost][] {
  return [...costs].filter(([, { loopMs, grownMb }]) => loopMs > MOST_LOOP_MS || grownMb > MOST_GROWN_MB);
}

describe('the cost of one webhook call', () => {
  it.each(['JSON', 'text', 'form', 'XML', 'multipart'])(
    'the worst bodies of %s delay no other request',
    async (kind) => {
      const costs = new Map<string, Cost>();
      for (const [name, type, make] of BODIES.filter(([name]) => name.split(' ').includes(kind))) {
        const body = Buffer.from(make());
        const cost = await leastCost(name, async () => {
          const status = await callWebhook(type, body);
          expect([201, 400, 413]).toContain(status);
          return status;
        });
        costs.set(name, cost);
      }
      expect(tooMuch(costs)).toEqual([]);
    },
  );

  it('compression bombs are refused', async () => {
    const packs = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
    const costs = new Map<string, Cost>();
    for (const [encoding, pack] of Object.entries(packs)) {
      const bomb = pack(Buffer.from(`<a${repeated(' ')}/>`));
      const cost = await leastCost(`bomb in ${encoding}`, async () => {
        const status = await callWebhook('text/xml', bomb, { 'content-encoding': encoding });
        expect(status).toBe(413);
        return status;
      });
      costs.set(encoding, cost);
    }
    expect(tooMuch(costs)).toEqual([]);
  });

  it.each([
    ['few values', JSON.stringify({ log: repeated('x', 100 * 1024) })],
    ['many values', `[${repeated('{},', 100 * 1024)}1]`],
  ])('a hundred callers with 100 KB of %s at once are all served', async (_, text) => {
    const body = Buffer.from(text);
    const calls = Array.from({ length: 100 }, () => callWebhook('application/json', body));
    expect(new Set(await Promise.all(calls))).toEqual(new Set([201]));
  });

  it('three of the worst at once leave the loop to others', async () => {
    const body = Buffer.from(`<a>${repeated('x')}</a>`);
    const calls = () => Promise.all([1, 2, 3].map(() => callWebhook('text/xml', body)));
    const cost = await web.costOf(async () => {
      const all = calls();
      const health = await statusOf(`${web.url}/healthz`, {});
      expect(health).toBe(200);
      await all;
    });
    expect(cost.loopMs).toBeLessThan(3 * MOST_LOOP_MS);
  });
});

const importOf = (data: unknown) => JSON.stringify({ new_name: 'Wide', data });
const wide = () => ({ ...smallExport(), agents: Array.from({ length: 3_300_000 }, () => 0) });

describe('the cost of one API call', () => {
  const CALLS: [string, string, string, () => string][] = [
    ['a wide import', 'POST', '/api/v1/stories/import', () => importOf(wide())],
    [
      'an import of objects',
      'POST',
      '/api/v1/stories/import',
      () => importOf({ ...smallExport(), agents: JSON.parse(`[${'{},'.repeat(90_000)}{}]`) as never }),
    ],
    [
      'a folder of unknown keys',
      'POST',
      '/api/v1/folders',
      () => `{${Array.from({ length: 700_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
    ],
    [
      'a folder of 19,000 unknown keys',
      'POST',
      '/api/v1/folders',
      () => `{${Array.from({ length: 19_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
    ],
    [
      'a case of many lists',
      'POST',
      '/api/v1/cases',
      () => `{"name":"a","tags":[${'[],'.repeat(1_000_000)}1]}`,
    ],
    ['a deep case', 'POST', '/api/v1/cases', () => `{"name":${'['.repeat(3_000_000)}`],
    [
      'a record of keys that are refused',
      'POST',
      '/api/v1/records',
      () => `{"a":[${'{"__proto__":1},'.repeat(200_000)}1]}`,
    ],
    [
      'a resource of long text',
      'POST',
      '/api/v1/global_resources',
      () => `{"name":"a","value":"${repeated('\\u00e9', 9 * MiB)}"}`,
    ],
    [
      'a run of 19,000 numbers',
      'POST',
      '/api/v1/stories/1/runs',
      () => `{"payload":[${'1,'.repeat(19_000)}1]}`,
    ],
  ];

  it('the worst bodies of a viewer delay no other request', async () => {
    const costs = new Map<string, Cost>();
    for (const [name, method, route, make] of CALLS) {
      const body = Buffer.from(make());
      const cost = await leastCost(`VIEWER: ${name}`, async () => {
        const status = await callApi(scene.viewer, method, route, body);
        expect([name, [400, 403, 404, 413, 422].includes(status)]).toEqual([name, true]);
        return status;
      });
      costs.set(name, cost);
    }
    expect(tooMuch(costs)).toEqual([]);
  });

  it('a viewer is refused before a long body is read', async () => {
    const long = Buffer.alloc(9 * MiB, 'x');
    expect(await callApi(scene.viewer, 'POST', '/api/v1/stories/import', long)).toBe(403);
    expect(await callApi(scene.viewer, 'PUT', `/api/v1/teams/${scene.viewer.team.id}`, long)).toBe(403);
  });

  it('an import of 400 actions with long formulas delays no other request', async () => {
    const names = Array.from({ length: 400 }, (_, index) => `Long ${index}`);
    const story = storyOf(Object.fromEntries(names.map((name, index) => [name, longFormula(index)])), []);
    const body = Buffer.from(importOf(story));
    const headers = { 'x-user-token': scene.owner.key, 'content-type': 'application/json' };
    const once = async () => {
      let status = 0;
      const cost = await web.costOf(async () => {
        status = await statusOf(`${web.url}/api/v1/stories/import`, { method: 'POST', headers, body });
      });
      return { status, cost };
    };
    // Once, unless the database is too slow for a moment: what was checked before is remembered.
    let imported = await once();
    while (imported.status === 503) imported = await once();
    expect(imported.status).toBe(200);
    // Its writing counts too: 6.5 MB in 400 rows. To check an eighth of the formulas takes longer.
    expect(imported.cost.loopMs).toBeLessThan(checkingMs(story, 50));
  });
});

/** An action with a formula of 16 KB that no other action has. */
const longFormula = (index: number): ShortAgent => [
  'EventTransformation',
  { mode: 'message_only', payload: { text: `<<${index}+${'(1+2)*'.repeat(2_700)}3>>` } },
];

/** How long the first formulas of such a story take to check here. */
function checkingMs(story: JsonObject, actions: number): number {
  const language = createFormulaLanguage();
  const agents = story['agents'] as { options: { payload: { text: string } } }[];
  return cpuMsOfSync(() => {
    for (const { options } of agents.slice(0, actions)) {
      expect(language.check(options.payload.text)).toEqual([]);
    }
  });
}

const callSlow = (address: string) =>
  fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'x'.repeat(50_000) }),
  });

describe('the cost of a webhook’s response', () => {
  const SLOW = "<<SIZE(JOIN(MAP_LAMBDA(RANGE(1, 30000), LAMBDA(x, UPCASE(x))), ','))>>";

  /** The address of a webhook whose response has so many headers that take long. */
  async function webhookWith(headers: number): Promise<string> {
    const slow = Object.fromEntries(Array.from({ length: headers }, (_, index) => [`x-slow-${index}`, SLOW]));
    const hook: ShortAgent = [
      'Webhook',
      { path: newPath(), secret: 'open sesame', verbs: 'post', response: 'Mine', response_headers: slow },
    ];
    const { owner } = scene;
    const client = clientOf({ url: web.url, account: owner, stores });
    const story = await client.importStory(storyOf({ Hook: hook }, []));
    return `${web.url}/webhook/${String(Object.values(story.webhooks)[0])}`;
  }

  /** The least cost of one of these headers here. */
  function headerMs(): number {
    const language = createFormulaLanguage();
    return Math.min(...[1, 2, 3].map(() => cpuMsOfSync(() => void language.render(SLOW, templateScope()))));
  }

  it('a slow response template is rendered in a thread', async () => {
    const address = await webhookWith(3);
    const call = async () => (await callSlow(address)).headers.get('x-slow-2');
    let last: string | null = null;
    const cost = await web.costOf(async () => (last = await call()));
    // The first call finds out that it takes long, for 25 ms.
    expect(cost.loopMs).toBeLessThan((3 * headerMs()) / 2);
    // It is given up after a second, which others on the machine may use.
    for (let tries = 0; tries < 20 && last === null; tries += 1) last = await call();
    expect(last).toBe('168893');
  });

  it('a response template that takes far too long is given up in its thread', async () => {
    const address = await webhookWith(12);
    const mostMs = headerMs();
    let status = 0;
    const cost = await leastCost(
      'response templates',
      async () => (status = (await callSlow(address)).status),
      mostMs,
    );
    expect(status).toBe(201);
    expect(cost.loopMs).toBeLessThan(mostMs);
  });
});
