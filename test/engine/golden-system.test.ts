import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../src/platform/json.js';
import { parseAnswerRules } from '../../src/engine/dry-run/answer-rules.js';
import { createAnsweredClient, createSilentClient } from '../../src/engine/dry-run/answered-client.js';
import { bodyValue } from '../../src/engine/dry-run/request-body-value.js';
import type { TrialReport } from '../../src/engine/dry-run/trial-report.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { fitted, type GoldenFile, goldenFiles } from '../support/golden.js';
import { startSmtpServer } from '../support/smtp-server.js';
import { useStores } from '../support/stores.js';
import { realExports } from '../support/stories.js';
import { cameOf, requestOf, tryGolden } from '../support/try-golden.js';

/** Wide, deep, and with calls between stories; none waits for a delay. */
const CHOSEN = [
  'v01-share-indicators-of-compromise.url',
  'v03-azure-sentinel-2.alerts',
  'v03-demo-servicenow-phishing-response-abuse-inbox-mana.malicious-url',
  'v04-loops-and-liquid.join-branches',
];

const stores = useStores();
const exports = new Map(realExports());
const chosen = goldenFiles().filter(([file]) => CHOSEN.includes(file));
const describeIfThere = exports.size > 0 ? describe : describe.skip;

/** What the whole system came to, in the words of a golden file. */
async function runForReal(text: string, golden: GoldenFile, trial: TrialReport) {
  const requests: JsonObject[] = [];
  const smtp = await startSmtpServer();
  const answered = createAnsweredClient(
    parseAnswerRules(golden.answers),
    createSilentClient(() => undefined),
  );
  const fabula = await startFabula(stores, {
    env: { SMTP_URL: smtp.url },
    http: {
      request(request) {
        const body = bodyValue(request);
        requests.push({ method: request.method, url: request.url, ...(body !== undefined && { body }) });
        return answered.request(request);
      },
      close: () => answered.close(),
    },
  });
  await setValues(fabula, golden, trial);
  await begin(fabula, text, golden);
  await fabula.settled();
  const mails = smtp.mails.map((mail) => ({ to: mail.to, subject: mail.header('subject') }));
  const events = (await fabula.events()).map(({ agent, payload }) => ({ agent, payload }));
  const deadLetters = (await fabula.deadLetters()).map(({ error }) => error);
  await fabula.close();
  await smtp.close();
  return { requests, mails, events, deadLetters };
}

/** What a trial stands in for has to be there. */
async function setValues(fabula: TestFabula, { values }: GoldenFile, { missing }: TrialReport) {
  const teamId = fabula.account.team.id;
  const { resources, credentials } = fabula.web.core;
  const stoodIn = missing.credentials.map((name) => [name, `<credential ${name}>`] as const);
  for (const [name, value] of [...stoodIn, ...Object.entries(values.credentials ?? {})])
    await credentials.set(teamId, name, value);
  for (const [name, value] of Object.entries(values.resources ?? {}))
    await resources.set(teamId, name, value);
}

async function begin(fabula: TestFabula, text: string, { start }: GoldenFile) {
  const story = await fabula.importStory(JSON.parse(text) as JsonObject);
  const address = story.webhooks[start.agent];
  if (address !== undefined) {
    expect((await fabula.fire(address, start.payload)).status).toBeLessThan(300);
    return;
  }
  const list = await fabula.api('GET', `/api/v1/stories/${story.id}/agents?per_page=500`);
  const { agents } = (await list.json()) as { agents: { id: number; name: string }[] };
  const agentId = agents.find(({ name }) => name === start.agent)?.id;
  const body = { agent_id: agentId, payload: start.payload };
  expect((await fabula.api('POST', `/api/v1/stories/${story.id}/runs`, body)).status).toBe(201);
}

/** In the order of `expected`, as far as they fit: on the server, branches run side by side. */
function inOrderOf<Item>(actual: Item[], expected: unknown[]): Item[] {
  const left = [...actual];
  const found = expected.flatMap((wanted) => {
    const index = left.findIndex((item) => isDeepStrictEqual(fitted(item, wanted), wanted));
    return index < 0 ? [] : left.splice(index, 1);
  });
  return [...found, ...left];
}

describeIfThere('on the server, with its stores and workers (skipped where the exports are missing)', () => {
  test.each(chosen)('%s comes to the same', async (_, golden) => {
    const text = exports.get(golden.story) ?? '';
    const trial = await tryGolden(requestOf(text), golden);
    const { requests, mails, events } = cameOf(trial, golden);
    const real = await runForReal(text, golden, trial);
    const wanted = { requests: golden.requests, events: golden.events };
    const sorted = {
      requests: inOrderOf(real.requests, golden.requests),
      events: inOrderOf(real.events, golden.events),
    };
    expect(fitted(sorted, wanted)).toEqual(wanted);
    expect(real.mails).toEqual(mails);
    expect(real.deadLetters).toEqual([]);
    expect([real.requests.length, real.events.length]).toEqual([requests.length, events.length]);
  });

  test('all of the chosen files are there', () => {
    expect(chosen.map(([file]) => file)).toEqual(CHOSEN.toSorted());
  });
});
