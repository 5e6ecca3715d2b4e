import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../src/platform/json.js';
import { storyOf } from '../support/stories.js';
import type { Product } from './measure.js';
import { alertBody } from './two-templates.js';

/** An attack of one tenant on the others. */
export interface Attack {
  what: string;
  /** Does it until the signal ends; gives how many calls were answered. */
  run(product: Product, target: HostileTarget, signal: AbortSignal): Promise<number>;
}

/** A server that answers at `/quick` and nowhere else. */
export interface HostileTarget {
  url: string;
}

/** Runs `work` beside such a server. */
export async function withHostileTarget<T>(work: (target: HostileTarget) => Promise<T>): Promise<T> {
  const server = createServer((request, response) => {
    if (request.url === '/quick') response.writeHead(200).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await work({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** The story of those who are attacked: webhook → transformation → request → trigger. */
export function victimStory({ url }: HostileTarget): { story: JsonObject; exit: string } {
  const story = storyOf(
    {
      Receive: ['Webhook', { path: 'victim', secret: 's3cret', verbs: 'post', include_headers: false }],
      Shape: ['EventTransformation', { mode: 'message_only', payload: { host: '<<receive.host>>' } }],
      Ask: ['HTTPRequest', { url: `${url}/quick`, method: 'post', payload: { host: '<<shape.host>>' } }],
      Check: ['Trigger', { rules: [{ type: 'field==value', path: '<<ask.status>>', value: '200' }] }],
    },
    ['Receive > Shape > Ask > Check'],
    { name: 'victim' },
  );
  return { story, exit: 'Check' };
}

const SLOW = '<<SIZE(MAP(RANGE(1, 100000), LAMBDA(x, x * x * x * x + 1)))>>';
const tenOf = (text: string): JsonObject =>
  Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`k${n}`, text]));

interface Hostile {
  name: string;
  agent: [string, JsonObject];
  webhook?: JsonObject;
}

function hostileStory({ name, agent, webhook = {} }: Hostile): JsonObject {
  const receive = { path: name, secret: 's3cret', verbs: 'post', include_headers: false, ...webhook };
  const story = { Receive: ['Webhook', receive] as [string, JsonObject], Act: agent };
  return storyOf(story, ['Receive > Act'], { name });
}

/** One tenant's stories, called again and again over so many connections each. */
function tenants(count: number, stories: (target: HostileTarget) => Hostile[], load: Load): Attack['run'] {
  return async (product, target, signal) => {
    const urls: string[] = [];
    for (let tenant = 0; tenant < count; tenant += 1) {
      const importStory = await product.newTenant();
      for (const hostile of stories(target)) {
        const name = `${hostile.name}-${tenant}`;
        const { webhookUrl } = await importStory(hostileStory({ ...hostile, name }), 'Act');
        urls.push(webhookUrl);
      }
    }
    const calls = urls.flatMap((url) =>
      Array.from({ length: load.connections }, () => callUntil(signal, url, load)),
    );
    return (await Promise.all(calls)).reduce((sum, answered) => sum + answered, 0);
  };
}

interface Load {
  connections: number;
  /** Between two calls of a connection. */
  pauseMs: number;
  body: string;
}

/** A signal of its own for each call: one for all of them would gather thousands of listeners. */
const CALL_LIMIT_MS = 60_000;

async function callUntil(signal: AbortSignal, url: string, { pauseMs, body }: Load): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  let answered = 0;
  while (!signal.aborted) {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(CALL_LIMIT_MS),
      });
      await response.body?.cancel();
      if (response.ok) answered += 1;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return answered;
}

const hanging =
  (count: number) =>
  ({ url }: HostileTarget) =>
    Array.from(
      { length: count },
      (_, n): Hostile => ({
        name: `hang-${n}`,
        agent: ['HTTPRequest', { url: `${url}/never`, method: 'get', timeout: 60 }],
      }),
    );
const alert = alertBody();
const SOME: Load = { connections: 2, pauseMs: 50, body: alert };
const LIST = JSON.stringify({
  list: Array.from({ length: 60 }, (_, index) => ({ index, text: 'x'.repeat(200) })),
});
const BIG = JSON.stringify({
  rows: Array.from({ length: 25_000 }, (_, index) => ({ index, text: 'x'.repeat(170) })),
});

const transformation = (name: string, options: JsonObject) => (): Hostile[] => [
  { name, agent: ['EventTransformation', options] },
];
const slowRender = { mode: 'message_only', payload: tenOf(SLOW) };
const rules = Array.from({ length: 5 }, () => ({
  type: 'regex',
  path: '<<receive.text>>',
  value: '(x+x+)+y',
}));
const answering = (): Hostile[] => [
  { name: 'answer', agent: ['Trigger', { rules: [] }], webhook: { response: tenOf(SLOW) } },
];

const FLOOD: Load = { connections: 16, pauseMs: 0, body: alert };
const LARGE: Load = { connections: 2, pauseMs: 0, body: BIG };
const passingOn = (name: string) => transformation(name, { mode: 'message_only', payload: '=receive' });

/** Attacks that so many tenants make at once. */
export function attacksBy(count: number): Attack[] {
  const by = (what: string, stories: (target: HostileTarget) => Hostile[], load: Load): Attack => ({
    what: `${what}, by ${count}`,
    run: tenants(count, stories, load),
  });
  return [
    by('renders that take a second', transformation('render', slowRender), SOME),
    by('responses whose templates take a second', answering, SOME),
    by('two stories whose targets never respond', hanging(2), SOME),
    by('16 connections without a pause', passingOn('flood'), FLOOD),
    by('bodies of 5 MB', passingOn('big'), LARGE),
  ];
}

/** Attacks to try, one after the other. */
export const ATTACKS: Attack[] = [
  { what: 'renders that take a second', run: tenants(1, transformation('render', slowRender), SOME) },
  { what: 'the same by three tenants', run: tenants(3, transformation('render', slowRender), SOME) },
  {
    what: 'requests whose headers take a second to render',
    run: tenants(
      1,
      ({ url }) => [
        { name: 'headers', agent: ['HTTPRequest', { url: `${url}/quick`, headers: tenOf(SLOW) }] },
      ],
      SOME,
    ),
  },
  {
    what: 'patterns that search long',
    run: tenants(1, () => [{ name: 'search', agent: ['Trigger', { rules }] }], {
      ...SOME,
      body: JSON.stringify({ text: 'x'.repeat(200_000) }),
    }),
  },
  { what: 'one story whose target never answers', run: tenants(1, hanging(1), SOME) },
  { what: 'two such stories', run: tenants(1, hanging(2), SOME) },
  { what: 'three such stories', run: tenants(1, hanging(3), SOME) },
  { what: 'three tenants with two such stories each', run: tenants(3, hanging(2), SOME) },
  {
    what: '60-fold explodes',
    run: tenants(1, transformation('explode', { mode: 'explode', path: '=receive.list', to: 'item' }), {
      connections: 16,
      pauseMs: 0,
      body: LIST,
    }),
  },
  { what: 'a flood of calls', run: tenants(1, passingOn('flood'), { ...FLOOD, connections: 64 }) },
  { what: 'answers whose templates take a second', run: tenants(1, answering, SOME) },
  { what: 'bodies of 5 MB', run: tenants(1, passingOn('big'), LARGE) },
  {
    what: 'bodies of 5 MB that are sent on',
    run: tenants(
      1,
      ({ url }) => [
        {
          name: 'send',
          agent: ['HTTPRequest', { url: `${url}/quick`, method: 'post', payload: '=receive' }],
        },
      ],
      LARGE,
    ),
  },
];
