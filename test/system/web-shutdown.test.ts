import http from 'node:http';
import { findFreePort } from '../../src/operate/embedded/free-port.js';
import { eventually } from '../support/eventually.js';
import { startFabula } from '../support/fabula.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { startProcess } from '../support/processes.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const CLIENTS = 10;
const SLOW_MS = 1_500;

const stores = useStores();
let target: HttpTarget;

beforeAll(async () => {
  target = await startHttpTarget({ rules: { '/slow': { body: 'done', delayMs: SLOW_MS } } });
  stores.onClose(() => target.close());
});

const message = { mode: 'message_only', payload: { number: '=receive.number' } };
const quickStory = () =>
  storyOf(
    {
      Receive: ['Webhook', { path: 'quick', secret: 's', verbs: 'post', include_headers: false }],
      Pass: ['EventTransformation', message],
    },
    ['Receive > Pass'],
  );
const awaitedStory = () =>
  storyOf(
    {
      Receive: ['Webhook', { path: 'awaited', secret: 's', verbs: 'post', include_headers: false }],
      Ask: ['HTTPRequest', { url: `${target.url}/slow`, method: 'get' }],
      Answer: ['EventTransformation', message],
    },
    ['Receive > Ask > Answer'],
    { synchronous_webhooks_enabled: true, exit_agent_guids: ['Answer'] },
  );

/** The result of a call: its status, or the code of its error. */
type End = number | string;

function call(address: string, agent: http.Agent, slowBody = false): Promise<{ end: End; text: string }> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', ...(slowBody ? {} : { 'content-length': 12 }) };
    const request = http.request(address, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ end: response.statusCode ?? 0, text }));
      response.on('error', (error: NodeJS.ErrnoException) => resolve({ end: `cut: ${error.code}`, text }));
    });
    request.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ end: error.code ?? error.message, text: '' }),
    );
    request.write('{"number":');
    setTimeout(() => request.end('1}'), slowBody ? SLOW_MS : 0);
  });
}

/** Calls again and again on one connection until the server takes no more; gives all ends. */
async function client(address: string): Promise<End[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const ends: End[] = [];
  for (;;) {
    const { end } = await call(address, agent);
    ends.push(end);
    if (end !== 201) break;
  }
  agent.destroy();
  return ends;
}

test('SIGTERM under load: every request that was begun is answered, then connections are refused; exit code 0', async () => {
  const fabula = await startFabula(stores, {});
  const port = await findFreePort();
  const env = { PORT: String(port), QUEUE_PREFIX: fabula.config.queuePrefix, LOG_LEVEL: 'info' };
  const web = startProcess('web', fabulaEnvironment(stores, env));
  stores.onClose(() => web.stop('SIGKILL'));
  await web.said('web is listening');
  const url = (address: string | undefined) => `http://127.0.0.1:${port}/webhook/${address ?? ''}`;
  const quick = url((await fabula.importStory(quickStory())).webhooks['Receive']);
  const awaited = url((await fabula.importStory(awaitedStory())).webhooks['Receive']);
  const agent = new http.Agent({ keepAlive: true });
  stores.onClose(() => agent.destroy());

  const clients = Array.from({ length: CLIENTS }, () => client(quick));
  const waiting = call(awaited, agent);
  await target.waitForRequests(1);
  const uploading = call(quick, agent, true);
  await eventually(async () => (await fabula.events()).length > 50);
  const began = Date.now();
  const exitCode = web.stop('SIGTERM');

  const ends = await Promise.all(clients);
  for (const list of ends) expect(list.at(-1)).toBe('ECONNREFUSED');
  expect(await waiting).toEqual({ end: 200, text: '{"number":1}' });
  expect((await uploading).end).toBe(201);
  expect(await exitCode).toBe(0);
  expect(Date.now() - began).toBeLessThan(25_000);
  // Calls that got a success are stored, and no others.
  await fabula.settled();
  const accepted = ends.flat().filter((end) => end === 201).length;
  const passed = (await fabula.events()).filter(({ agent: name }) => name === 'Pass').length;
  expect(passed).toBe(accepted + 1);
});
