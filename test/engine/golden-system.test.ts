import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { parseAnswerRules } from '../../src/trial/answers/answer-rules.js';
import { createAnsweredClient, createSilentClient } from '../../src/trial/answers/answered-client.js';
import { bodyValue } from '../../src/trial/answers/request-body-value.js';
import type { HttpClient } from '../../src/platform/outbound/http-exchange.js';
import type { TrialReport } from '../../src/trial/report/trial-report.js';
import { type Account, buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { startFabulaHere, type TestFabulaHere } from '../support/fabula-here.js';
import { fitted, type GoldenFile, goldenFiles } from '../support/golden.js';
import { type SmtpTestServer, startSmtpServer } from '../support/smtp-server.js';
import { useStores } from '../support/stores.js';
import { realExports } from '../support/stories.js';
import { cameOf, requestOf, tryGolden } from '../support/try-golden.js';

interface Planned {
  golden: GoldenFile;
  dryRun: TrialReport;
  /** The tables are emptied after each test: each has an account of its own. */
  account: Account;
}
type Client = ReturnType<TestFabulaHere['as']>;

const stores = useStores();
const exports = new Map(realExports());
const describeIfThere = exports.size > 0 ? describe : describe.skip;

let fabula: TestFabulaHere;
let smtp: SmtpTestServer;
/** Answers as the golden file of this test says, and writes down what was asked. */
let http: HttpClient;

beforeAll(async () => {
  smtp = await startSmtpServer();
  // After Fabula: it waits for connections that are left, half a minute.
  stores.onClose(() => smtp.close());
  fabula = await startFabulaHere(stores, {
    // One job at a time, so that branches end in the order in which they began.
    env: { SMTP_URL: smtp.url, WORKER_CONCURRENCY: '1' },
    http: { request: (request) => http.request(request), close: () => Promise.resolve() },
  });
});

/** The story's result on the server, in the form of a golden file. */
async function runForReal(text: string, { golden, dryRun, account }: Planned) {
  const requests: JsonObject[] = [];
  const answered = createAnsweredClient(
    parseAnswerRules(golden.answers),
    createSilentClient(() => undefined),
  );
  http = {
    request(request) {
      const body = bodyValue(request);
      requests.push({ method: request.method, url: request.url, ...(body !== undefined && { body }) });
      return answered.request(request);
    },
    close: () => answered.close(),
  };
  smtp.mails.length = 0;
  await setValues(account.team.id, golden, dryRun);
  const storyId = await begin(fabula.as(account), text, golden);
  await hurried();
  const mails = smtp.mails.map((mail) => ({ to: mail.to, subject: mail.header('subject') }));
  const events = (await fabula.events()).map(({ agent, payload }) => ({ agent, payload }));
  const deadLetters = (await fabula.deadLetters()).map(({ error }) => error);
  const sent = requests.length;
  const trial = await triedAgain(fabula.as(account), storyId);
  expect(requests).toHaveLength(sent);
  return { requests, mails, events, deadLetters, trial };
}

/**
 * Waits until all is done. Once nothing else is open, the first of what waits for its time (a retry, a delay) is due at once,
 * and not the others: branches end in the order of their times. Groups end last.
 */
async function hurried(): Promise<void> {
  const due = `UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND,
                      resume_at = IF(resume_at IS NULL, NULL, NOW(3) - INTERVAL 1 SECOND)
                WHERE due_at > NOW(3) AND state = ?`;
  await eventually(async () => {
    const open = await openStates();
    const are = (...states: string[]) => open.every(({ state }) => states.includes(state));
    if (open.length === 0) return true;
    if (are('parked')) {
      await stores.sql(due, ['parked']);
      await fabula.workers.loops.parkedSweeper.tick();
    } else if (are('parked', 'waiting') && !open.some(({ state, isDue }) => state === 'waiting' && isDue)) {
      await stores.sql(`${due} ORDER BY due_at, id LIMIT 1`, ['waiting']);
    }
    return false;
  }, 90_000);
}

async function openStates(): Promise<{ state: string; isDue: number }[]> {
  return stores.db.read((session) =>
    session.rows("SELECT DISTINCT state, due_at <= NOW(3) AS isDue FROM deliveries WHERE state <> 'failed'"),
  );
}

/** A dry run's substitutes must exist here. */
async function setValues(teamId: number, { values }: GoldenFile, { missing }: TrialReport) {
  const { resources, credentials } = fabula.web.core;
  const stoodIn = missing.credentials.map((name) => [name, `<credential ${name}>`] as const);
  for (const [name, value] of [...stoodIn, ...Object.entries(values.credentials ?? {})])
    await credentials.set(teamId, name, value);
  for (const [name, value] of Object.entries(values.resources ?? {}))
    await resources.set(teamId, name, value);
}

/** The same story on its run: nothing has changed. */
async function triedAgain(client: Client, storyId: number) {
  const list = await client.api('GET', `/api/v1/stories/${storyId}/runs?per_page=500`);
  const { story_runs: runs } = (await list.json()) as { story_runs: { guid: string }[] };
  const body = { story_id: storyId, run_guid: runs.at(-1)?.guid };
  const response = await client.api('POST', '/api/v1/trials', body);
  return { status: response.status, ...((await response.json()) as JsonObject) } as JsonObject;
}

async function begin(client: Client, text: string, { start }: GoldenFile): Promise<number> {
  const story = await client.importStory(JSON.parse(text) as JsonObject);
  const address = story.webhooks[start.agent];
  if (address !== undefined) {
    const headers = { 'content-type': 'application/json', ...(start.headers as Record<string, string>) };
    expect((await client.fire(address, start.payload, { headers })).status).toBeLessThan(300);
    return story.id;
  }
  const list = await client.api('GET', `/api/v1/stories/${story.id}/agents?per_page=500`);
  const { agents } = (await list.json()) as { agents: { id: number; name: string }[] };
  const agentId = agents.find(({ name }) => name === start.agent)?.id;
  const body = { agent_id: agentId, payload: start.payload };
  expect((await client.api('POST', `/api/v1/stories/${story.id}/runs`, body)).status).toBe(201);
  return story.id;
}

/** Through the API, so that webhooks with the same path are known anew in the next test. */
async function deleteStories(client: Client): Promise<void> {
  const list = await client.api('GET', '/api/v1/stories?per_page=500');
  const { stories } = (await list.json()) as { stories: { id: number }[] };
  for (const { id } of stories)
    expect((await client.api('DELETE', `/api/v1/stories/${id}`)).status).toBe(204);
}

/** Values that depend on which of two branches is faster: by file, what the golden file has and what it may be. */
const RACES: Record<string, Record<string, string>> = {
  'v01-scrub-sts-crowdstrike-search.one-device': { 'ldt:1': '^ldt:[12]$', '71': '^7[12]$' },
};

function withRaces(file: string, events: GoldenFile['events']): GoldenFile['events'] {
  const races = RACES[file] ?? {};
  return events.map((event) =>
    event.agent === 'Build Results' ? { ...event, payload: raced(event.payload, races) } : event,
  );
}

function raced(value: JsonValue, races: Record<string, string>): JsonValue {
  if (typeof value === 'string') return value in races ? { $matches: races[value] ?? '' } : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => raced(item, races));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, raced(item, races)]));
}

/** A mail as the mail server received it. */
function envelopeOf({ to, subject }: JsonObject): JsonObject {
  return { ...(to !== undefined && { to }), ...(subject !== undefined && { subject }) };
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
  test.each(goldenFiles())('%s comes to the same', async (file, golden) => {
    const text = exports.get(golden.story) ?? '';
    const dryRun = await tryGolden(requestOf(text), golden);
    const { requests, events } = cameOf(dryRun, golden);
    const account = await buildAccount(stores.db, { owner: true });
    const real = await runForReal(text, { golden, dryRun, account });
    await deleteStories(fabula.as(account));
    const wanted = {
      requests: golden.requests,
      events: withRaces(file, golden.events),
      mails: golden.mails.map(envelopeOf),
    };
    const sorted = {
      requests: inOrderOf(real.requests, wanted.requests),
      events: inOrderOf(real.events, wanted.events),
      mails: inOrderOf(real.mails, wanted.mails),
    };
    expect(fitted(sorted, wanted)).toEqual(wanted);
    expect(real.deadLetters).toHaveLength(golden.deadLetters.length);
    expect(real.trial.difference).toMatchObject({ same: true, count: 0, actions: [] });
    expect([real.requests.length, real.events.length]).toEqual([requests.length, events.length]);
  });
});
