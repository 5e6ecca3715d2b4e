import * as fc from 'fast-check';
import { loggablePath } from '../../../src/platform/http/address/loggable-path.js';
import { type TestApp, startTestApp } from '../../support/app.js';
import { eventually } from '../../support/eventually.js';
import { sendRaw } from '../../support/raw-http.js';
import { SERVED_ROUTES } from '../../support/served-routes.js';
import { recordingLogger } from '../../support/recording-logger.js';
import { startFabula } from '../../support/fabula.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const SECRET = 'sEcReT-47-xyz';
const PROMPT = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const log = recordingLogger();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(stores, { routes: [], services: null, logger: log.logger });
});

/** Addresses with a secret, as they come of a wrong base address, a proxy, or on purpose. */
const TARGETS = [
  `/webhook/hook/${SECRET}`,
  `//webhook/hook/${SECRET}`,
  `///webhook//hook//${SECRET}`,
  `/webhook%2Fhook/${SECRET}`,
  `/webhook%2fhook%2f${SECRET}`,
  `/webhook%252Fhook%252F${SECRET}`,
  `/%77ebhook/hook/${SECRET}`,
  `/%2577ebhook/hook/${SECRET}`,
  `/WEBHOOK/hook/${SECRET}`,
  `/webhook/hook%2F${SECRET}`,
  `/webhook/hook%5c${SECRET}`,
  `/webhook/hook;${SECRET}`,
  `/webhook/hook?secret=${SECRET}`,
  `/webhook\\hook\\${SECRET}`,
  `/./webhook/hook/${SECRET}`,
  `/x/../webhook/hook/${SECRET}`,
  `/base/webhook/hook/${SECRET}`,
  `/api/webhook/hook/${SECRET}`,
  `/api/v1/webhook/hook/${SECRET}`,
  `/healthz/${SECRET}`,
  `/healthz?key=${SECRET}`,
  `/hook/${SECRET}`,
  `/;${SECRET}`,
  `/%00${SECRET}`,
  `/?${SECRET}`,
  `//prompts/${PROMPT}`,
  `/prompts/${PROMPT}`,
  `/Prompts/${PROMPT}/`,
  `/prompts%2F${PROMPT}`,
  `/%70rompts/${PROMPT}`,
];

const leaks = (text: string) => text.includes(SECRET) || text.includes(PROMPT);

it.each(TARGETS)('%s leaves no secret in the log and none in the response', async (target) => {
  const { host } = new URL(app.url);
  for (const form of [target, `http://${host}${target}`]) {
    log.clear();
    const response = await sendRaw(
      app.url,
      `GET ${form} HTTP/1.1\r\nHost: ${host}\r\nReferer: http://${host}${target}\r\nConnection: close\r\n\r\n`,
    );
    const lines = await eventually(() => (log.lines().length > 0 ? log.lines() : undefined));
    expect(lines).toHaveLength(1);
    expect(leaks(JSON.stringify(lines))).toBe(false);
    // A path that names neither is told to its own caller as it came.
    if (/webhook|prompts|%/i.test(target)) expect(leaks(response)).toBe(false);
  }
});

it('bytes that are not HTTP appear neither in the log nor in the response', async () => {
  log.clear();
  const response = await sendRaw(
    app.url,
    `GET /webhook/hook/${SECRET} HTTP/1.1\r\nBad Header: ${SECRET}\r\n\r\n`,
  );
  expect([leaks(response), leaks(JSON.stringify(log.lines()))]).toEqual([false, false]);
});

it('the log has only the first part of an unknown path, however the path is encoded', () => {
  const encode = fc.oneof(
    fc.constant((text: string) => text),
    fc.constant((text: string) => text.replace(/[a-z/]/gi, (c) => `%${c.charCodeAt(0).toString(16)}`)),
    fc.constant((text: string) => text.replaceAll('/', '%2F')),
    fc.constant((text: string) => text.replaceAll('/', '\\')),
    fc.constant((text: string) => text.replaceAll('%', '%25')),
    fc.constant((text: string) => text.replaceAll('/', '//')),
    fc.constant((text: string) => text.toUpperCase()),
  );
  const roots = fc.constantFrom('/webhook/hook/', '/prompts/', '/api/v1/webhook/hook/', '/x/webhook/hook/');
  fc.assert(
    fc.property(roots, fc.array(encode, { maxLength: 4 }), (root, encodings) => {
      const path = encodings.reduce((text, apply) => apply(text), root + SECRET);
      expect(loggablePath(path).toLowerCase()).not.toContain(SECRET.toLowerCase());
    }),
    { numRuns: 2_000 },
  );
});

it('the log has a known route’s pattern with its ids, and no other text in their place', () => {
  fc.assert(
    fc.property(fc.constantFrom(...SERVED_ROUTES), fc.string({ minLength: 1 }), ({ path }, text) => {
      const given = path.replace(/:\w+/g, () => encodeURIComponent(`${SECRET}${text}`));
      expect(loggablePath(given, path)).toBe(path);
    }),
  );
  expect(loggablePath('/api/v1/stories/12', '/api/v1/stories/:id')).toBe('/api/v1/stories/12');
});

it('a key in the path of the API is in no log and no audit entry', async () => {
  const fabula = await startFabula(stores, { queues: [] });
  const key = fabula.account.key;
  for (const method of ['GET', 'DELETE', 'PATCH'])
    await fabula.api(method, `/api/v1/stories/${key}`, method === 'PATCH' ? {} : undefined);
  const rows = await stores.db.read((session) => session.rows('SELECT * FROM audit_logs'));
  expect(JSON.stringify(rows)).not.toContain(key);
  await fabula.close();
});
