import type { JsonObject } from '../../src/platform/json.js';
import { buildAccount } from '../support/builders.js';
import { cpuMsOfSync } from '../support/cpu-time.js';
import { eventually } from '../support/eventually.js';
import { clientOf } from '../support/fabula-client.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import {
  type ProbedProcess,
  type ProbedWeb,
  startProbedWeb,
  startProbedWorker,
} from '../support/probed-web.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();

/** 5 MB of as many objects as a call may bring. */
const EVENT = { rows: Array.from({ length: 48_000 }, () => ({ text: 'x'.repeat(90) })) };
const TRIES = 5;
const MOST_SHARE = 1;
const SECRET = 'a secret of twenty characters';

let target: HttpTarget;
let web: ProbedWeb;
let worker: ProbedProcess;
let client: ReturnType<typeof clientOf>;

beforeAll(async () => {
  web = await startProbedWeb(stores);
  worker = await startProbedWorker(stores);
});
beforeEach(async () => {
  target = await startHttpTarget({ rules: { '/quick': { body: {} } } });
  const account = await buildAccount(stores.db, { owner: true });
  client = clientOf({ url: web.url, account, stores });
  const credential = { name: 'key', value: SECRET, team_id: account.team.id };
  expect((await client.api('POST', '/api/v1/credentials', credential)).status).toBe(201);
});
afterEach(() => target.close());

/**
 * Time of the worker's event loop for a call, as a share of that of `beside` in this process right after it: the first
 * share that is small enough, or the least of some, because what else the machine does only adds.
 */
async function leastShare(agent: ShortAgent, beside: () => void): Promise<number> {
  const story = storyOf({ Receive: ['Webhook', { include_headers: false }], Send: agent }, [
    'Receive > Send',
  ]);
  const { webhooks } = await client.importStory(story);
  const call = async () => {
    const sent = target.requests.length;
    await client.fire(String(webhooks['Receive']), EVENT);
    await eventually(() => target.requests.length > sent, 120_000);
    await client.settled(60_000);
  };
  await call();
  let least = Infinity;
  for (let tries = 0; tries < TRIES && least >= MOST_SHARE; tries += 1) {
    const { loopMs } = await worker.costOf(call);
    least = Math.min(least, loopMs / cpuMsOfSync(beside));
  }
  return least;
}

/** Payloads of requests that take long to write. */
const PAYLOADS: [string, JsonObject][] = [
  ['JSON', { payload: { first: '=receive', second: '=receive', third: '=receive' } }],
  ['a form', { payload: '=receive', content_type: 'form' }],
  ['multipart', { payload: '=receive', content_type: 'data' }],
  ['XML', { payload: '=receive', content_type: 'xml' }],
];

test.each(PAYLOADS)(
  'a large body of %s is written in a thread, not on the event loop',
  async (kind, options) => {
    const request = {
      url: `${target.url}/quick`,
      method: 'post',
      headers: { 'x-key': '<<CREDENTIAL.key>>' },
    };
    // To put 15 MB of JSON together takes longer than all that the loop still does: to read the event, and to send the body.
    const values = { first: EVENT, second: EVENT, third: EVENT };
    const write = () => void Buffer.from(JSON.stringify(structuredClone(values)));
    const share = await leastShare(['HTTPRequest', { ...request, ...options }], write);
    const [first, ...others] = target.requests;
    expect(first?.headers['x-key']).toBe(SECRET);
    expect(first?.body.length).toBeGreaterThan(4_500_000);
    expect(
      others.every(({ body }) => body.equals(first?.body ?? Buffer.alloc(0)) || kind === 'multipart'),
    ).toBe(true);
    expect(share).toBeLessThan(MOST_SHARE);
  },
);
