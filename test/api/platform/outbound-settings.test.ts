import type { JsonObject } from '../../../src/platform/json.js';
import { startFabula, type TestFabula } from '../../support/fabula.js';
import { type HttpTarget, startHttpTarget } from '../../support/http-target.js';
import { storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
let fabula: TestFabula;
let open: HttpTarget;
let closed: HttpTarget;

beforeAll(async () => {
  open = await startHttpTarget({ rules: { '/': { body: 'open' }, '/hang': { hang: true } } });
  closed = await startHttpTarget({ host: '127.0.0.3', rules: { '/': { body: 'closed' } } });
});

afterAll(async () => {
  await open.close();
  await closed.close();
});

beforeEach(async () => {
  fabula = await startFabula(stores, {
    env: { OUTBOUND_DENY: '127.0.0.3/32', HTTP_TIMEOUT_MAX_SECONDS: '1' },
  });
});

afterEach(() => fabula.close());

/** The event that an action with these options becomes. */
async function eventOf(options: JsonObject): Promise<JsonObject> {
  const story = await fabula.importStory(
    storyOf({ Hook: ['Webhook', {}], Ask: ['HTTPRequest', options] }, ['Hook > Ask']),
  );
  await fabula.fire(story.webhooks['Hook'] ?? '');
  await fabula.settled();
  const events = await fabula.events();
  return events.find(({ agent }) => agent === 'Ask')?.payload as JsonObject;
}

test('actions cannot reach what the operator closes', async () => {
  expect(await eventOf({ url: `${closed.url}/` })).toEqual({
    status: 0,
    headers: {},
    body: `127.0.0.3:${closed.port}: the address is blocked by OUTBOUND_DENY`,
  });
  expect(closed.requests).toEqual([]);
});

test('actions reach what is open', async () => {
  expect(await eventOf({ url: `${open.url}/` })).toMatchObject({ status: 200, body: 'open' });
});

test('an action waits no longer than the operator allows', async () => {
  const { body } = await eventOf({ url: `${open.url}/hang`, timeout: 600 });
  expect(body).toBe(
    `127.0.0.1:${open.port}: there was no response in time (limited to 1 s by HTTP_TIMEOUT_MAX_SECONDS)`,
  );
});
