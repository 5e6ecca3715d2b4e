import { createFormulaLanguage, createLiquidLanguage } from '../../../src/language/face.js';
import type { JsonObject, JsonValue } from '../../../src/platform/json.js';
import { createSilentLogger } from '../../../src/platform/logger.js';
import { readExport } from '../../../src/stories/check/story-checker.js';
import type { StoryTest } from '../../../src/stories/tests/story-test.js';
import { testsProblems } from '../../../src/stories/tests/test-form.js';
import { runStoryTests } from '../../../src/trial/tests/run-tests.js';

const languages = { liquid: createLiquidLanguage(), formula: createFormulaLanguage() };
const deps = {
  languages,
  limits: { maxAttempts: 3, maxDepth: 100, maxCallDepth: 5, maxEvents: 1_000 },
  domain: 'localhost',
  baseUrl: 'http://localhost:3000',
  logger: createSilentLogger(),
};

const agent = (name: string, type: string, options: JsonObject) => ({
  name,
  type: `Agents::${type}`,
  guid: name.toLowerCase().replaceAll(/\W/g, '').padEnd(32, '0'),
  options,
});

const rule = (type: string, path: string, value: string) => ({ type, path, value });

/** Alerts that are high open a ticket; others are mailed. */
const story = {
  name: 'Alerts',
  schema_version: 16,
  guid: 'f'.repeat(32),
  agents: [
    agent('Receive alert', 'WebhookAgent', { secret: 'abc', verbs: 'post' }),
    agent('Is it high?', 'TriggerAgent', {
      rules: [rule('field==value', '<<receive_alert.body.severity>>', 'high')],
    }),
    agent('Open ticket', 'HTTPRequestAgent', {
      url: 'https://tickets.example.com/new',
      method: 'post',
      content_type: 'json',
      payload: { title: '<<receive_alert.body.title>>', at: '=NOW()' },
      headers: { Authorization: 'Bearer <<CREDENTIAL.tickets>>' },
    }),
    agent('Mail it', 'EmailAgent', {
      recipients: ['<<RESOURCE.on_call>>'],
      subject: 'Low: <<receive_alert.body.title>>',
      body: 'x',
    }),
  ],
  links: [
    { source: 0, receiver: 1 },
    { source: 1, receiver: 2 },
    { source: 1, receiver: 3, link_type: 'secondary' },
  ],
};

const high: StoryTest = {
  name: 'A high alert opens a ticket',
  event: { headers: {}, body: { severity: 'high', title: 'Disk full' } },
  answers: [{ url: 'https://tickets.example.com/*', status: 201, headers: {}, answer: { id: 7 } }],
  expect: {
    events: { 'Open ticket': [{ status: 201, body: { id: 7 } }], 'Mail it': [] },
    requests: {
      'Open ticket': [
        {
          method: 'POST',
          url: 'https://tickets.example.com/new',
          headers: { authorization: 'Bearer <credential tickets>' },
          body: { title: 'Disk full' },
        },
      ],
    },
  },
};

const low: StoryTest = {
  name: 'Others are mailed',
  body: { severity: 'low', title: 'Disk half full' },
  headers: { 'X-Sent-By': 'monitor' },
  resources: { on_call: 'ann@example.com' },
  expect: { mails: { 'Mail it': [{ to: ['ann@example.com'], subject: { $contains: 'half' } }] } },
};

function run(tests: StoryTest[], changed: JsonValue = story) {
  const { request } = readExport(JSON.stringify(changed));
  if (request === undefined) throw new Error('The story is no export');
  return runStoryTests(request, tests, deps);
}

const texts = ({ results }: Awaited<ReturnType<typeof run>>) =>
  results.map(({ differences, problems }) => [...differences.map(({ text }) => text), ...problems]);

const faultsOf = (more: object) =>
  testsProblems([{ name: 'a', expect: {}, ...more }] as JsonValue, '').map(({ message }) => message);
const expecting = (item: JsonValue) => ({ expect: { events: { A: [item] } } });

describe('stories as software: tests of a story', () => {
  it('pass, and name what they cover', async () => {
    const report = await run([high, low]);
    expect(texts(report)).toEqual([[], []]);
    expect(report.ok).toBe(true);
    const { coverage } = report;
    expect(coverage.all).toBe(4 + 3 + 2);
    expect(coverage.covered).toBe(9);
  });

  it('name the link and the branch of a rule that no test takes', async () => {
    const { coverage } = await run([high]);
    const missing = coverage.links.filter(({ covered }) => !covered);
    expect(missing).toEqual([
      expect.objectContaining({ kind: 'secondary', receiver: expect.objectContaining({ name: 'Mail it' }) }),
    ]);
    expect(coverage.rules).toEqual([
      { action: expect.objectContaining({ name: 'Is it high?' }), rule: 0, holds: true, fails: false },
    ]);
    expect([coverage.covered, coverage.all]).toEqual([6, 9]);
  });

  it('fail by exactly the test of the option that changed, with a readable difference', async () => {
    const changed = structuredClone(story);
    changed.agents[3]!.options.subject = 'Low: nothing';
    const report = await run([high, low], changed);
    expect(texts(report)).toEqual([
      [],
      ['Mail it, mail 1, subject: expected a value that contains "half", found "Low: nothing"'],
    ]);
  });

  it('fail by what an action does once too often, and by an error that nobody expects', async () => {
    const nobody = { ...low, resources: { on_call: '' }, expect: {} };
    const [failed] = texts(await run([nobody]));
    expect(failed).toEqual([expect.stringMatching(/^Mail it: expected no error, found 1: "/)]);
    const twice = structuredClone(story);
    twice.links.push({ source: 0, receiver: 2 });
    const [found] = texts(await run([high], twice));
    expect(found?.[0]).toMatch(/^Open ticket: expected 1 event, found 2: /);
  });

  it('tell of a request without an answer, and of a resource that the test does not give', async () => {
    const report = await run([
      { ...high, answers: [] },
      { ...low, resources: {} },
    ]);
    const [first, second] = report.results;
    expect(first?.problems).toEqual(['No answer of the test fits POST https://tickets.example.com/new']);
    expect(second?.problems).toEqual(['The test gives no resource "on_call"']);
  });

  it('fail by a called story that fails for good, unless its error is expected', async () => {
    const called = {
      name: 'Look up',
      schema_version: 30,
      guid: 'e'.repeat(32),
      entry_agent_guid: '1'.repeat(32),
      exit_agent_guids: ['1'.repeat(32)],
      agents: [
        {
          ...agent('Ask', 'HTTPRequestAgent', { url: 'not an address', method: 'get' }),
          guid: '1'.repeat(32),
        },
      ],
      links: [],
    };
    const caller = {
      name: 'Caller',
      schema_version: 30,
      guid: 'd'.repeat(32),
      agents: [agent('Call', 'SendToStoryAgent', { story: '=STORY.look_up', payload: {} })],
      links: [],
      send_to_stories: [called],
    };
    const found = async (expected: StoryTest['expect']) =>
      texts(await run([{ name: 'Calls', action: 'Call', event: {}, expect: expected }], caller))[0];
    const failed = [expect.stringMatching(/^Called story, Ask: expected no error, found 1: "/)];
    expect(await found({})).toEqual(failed);
    expect(await found({ errors: {}, nothing_else: true })).toEqual(failed);
    expect(await found({ errors: { Ask: [{ $any: true }] } })).toEqual([]);
    expect(await found({ events: { Ask: [] }, errors: { Ask: [{ $any: true }] } })).toEqual([
      '"Caller" has no action "Ask"',
    ]);
    // A name that the story has too is that of its own action.
    const ask = agent('Ask', 'EventTransformationAgent', { mode: 'message_only', payload: {} });
    const both = { ...caller, agents: [...caller.agents, ask] };
    const [ofBoth] = texts(
      await run(
        [{ name: 'Calls', action: 'Call', event: {}, expect: { errors: { Ask: [{ $any: true }] } } }],
        both,
      ),
    );
    expect(ofBoth).toEqual([...failed, 'Ask: expected 1 error, found none']);
  });

  it('refuse all other effects where nothing else is wanted, also of kinds that are not given', async () => {
    for (const expected of [
      { nothing_else: true },
      { requests: { 'Open ticket': [] }, nothing_else: true },
    ]) {
      const [found] = texts(await run([{ ...low, expect: expected }]));
      expect(found).toEqual([expect.stringMatching(/^Mail it: expected no mail, found 1: /)]);
    }
    const named = { mails: { 'Mail it': [{ $any: true }] }, nothing_else: true };
    expect(texts(await run([{ ...low, expect: named }]))).toEqual([[]]);
    const [events] = texts(await run([{ ...low, expect: { ...named, events: {} } }]));
    expect(events?.[0]).toMatch(/^Receive alert: expected no event, found 1: /);
  });

  it('refuse anything else where nothing else is wanted', async () => {
    const [found] = texts(await run([{ ...low, expect: { mails: {}, nothing_else: true } }]));
    expect(found?.[0]).toMatch(/^Mail it: expected no mail, found 1: /);
  });

  it('say in place of each difference what a test expects that takes what was found', async () => {
    const wrong: StoryTest = {
      ...high,
      expect: {
        events: { 'Open ticket': [{ status: 200, extra: 1 }] },
        requests: { 'Mail it': [{ url: 'x' }], 'Open ticket': [{ method: { $any: true } }] },
      },
    };
    const { results } = await run([wrong]);
    expect(results[0]?.differences.map(({ index, path, instead }) => ({ index, path, instead }))).toEqual([
      { index: 0, path: 'status', instead: 201 },
      { index: 0, path: 'extra', instead: { $absent: true } },
      { index: null, path: '', instead: [] },
    ]);
    const twice = structuredClone(story);
    twice.links.push({ source: 0, receiver: 2 });
    const [first] = (await run([high], twice)).results[0]?.differences ?? [];
    // What fitted keeps its matchers and its free keys; what came beside it is taken whole.
    expect(first?.instead).toEqual([
      high.expect.events?.['Open ticket']?.[0],
      expect.objectContaining({ status: 201, body: { id: 7 }, headers: expect.anything() }),
    ]);
  });

  it('give the same result at any time', async () => {
    const stamped: StoryTest = {
      ...high,
      expect: { requests: { 'Open ticket': [{ body: { at: { $contains: '2026-01-01' } } }] } },
    };
    expect(texts(await run([stamped]))).toEqual([[]]);
  });

  it('have faults that name their place', () => {
    const faults = testsProblems(
      [
        { name: 'a', expect: { events: { A: [{ b: { $pattern: '(' } }] } } },
        { name: 'a', expect: { events: { A: [{ $some: 1 }] } }, event: 1, body: 2 },
        'x',
      ],
      'data',
    );
    expect(faults.map(({ details }) => details)).toEqual([
      'data.fabula_tests[0].expect.events.A[0]',
      'data.fabula_tests[1].expect.events.A[0]',
      'data.fabula_tests[1]',
      'data.fabula_tests[1].name',
      'data.fabula_tests[2]',
    ]);
    expect(faults[0]?.message).toContain('.b: the pattern');
  });

  it('have faults that tell texts with braces as they are, and refuse days that do not exist', () => {
    expect(faultsOf(expecting({ $kind: '{{x' }))).toEqual([
      '"fabula_tests[0].expect.events.A[0]": there is no matcher $kind; wrap an ordinary value in {"$equal": …}',
    ]);
    expect(faultsOf(expecting({ a: { $pattern: '({{#label}}' } }))[0]).toMatch(/\.a: .*pattern/);
    expect(faultsOf({ answers: [{ url: { regex: '({x' } }] })[0]).not.toContain('template');
    expect(faultsOf({ at: '2026-02-28T10:00:00Z' })).toEqual([]);
    expect(faultsOf({ at: '2026-02-30' })).toEqual(['"fabula_tests[0].at" must be in iso format']);
  });

  it('tell once that the action to start at is absent', async () => {
    const lost = { name: 'lost', action: 'Nobody', expect: { events: { Nobody: [] } } };
    const [result] = (await run([lost])).results;
    expect(result?.problems).toEqual(['"Alerts" has no action "Nobody"']);
  });
});
