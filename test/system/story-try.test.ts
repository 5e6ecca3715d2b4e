import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { startHttpTarget } from '../support/http-target.js';
import { builtFile } from '../support/processes.js';
import { runCli } from '../support/run-cli.js';
import { agent, smallExport, storyOf } from '../support/stories.js';

/** The output of `story try --json`. */
interface DryRun {
  ok: boolean;
  story: string;
  events: {
    id: number;
    agent: string;
    story: string;
    parentId: number | null;
    elapsedMs: number;
    payload: JsonValue;
  }[];
  requests: {
    agent: string;
    method: string;
    url: string;
    body?: JsonValue;
    status: number;
    reason?: string;
  }[];
  mails: JsonObject[];
  prompts: JsonObject[];
  records: JsonObject[];
  deadLetters: { agent: string; error: string; elapsedMs: number }[];
  logs: { level: string; message: string }[];
  silent: { agent: string }[];
  unanswered: string[];
  missing: { credentials: string[]; resources: string[] };
  importOnly: { agent: string; reason: string }[];
  waiting: { agent: string }[];
  stopped: string | null;
}

interface Inputs {
  event?: JsonValue;
  answer?: JsonValue;
  values?: JsonValue;
}

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'try-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function save(name: string, content: unknown): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, JSON.stringify(content));
  return file;
}

/** The environment names no database: a look at one would fail. */
async function run(story: JsonObject, inputs: Inputs = {}, more: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const files = Object.entries(inputs).map(async ([name, content]) => [
    `--${name}`,
    await save(`${name}.json`, content),
  ]);
  const args = [
    'story',
    'try',
    await save('story.json', story),
    ...(await Promise.all(files)).flat(),
    ...more,
  ];
  return runCli(args, { env: { DATA_DIR: path.join(folder, 'none'), ...env } });
}

async function tried(...args: Parameters<typeof run>): Promise<DryRun & { code: number }> {
  const [story, inputs, more = [], env] = args;
  const { code, out, err } = await run(story, inputs, ['--json', ...more], env);
  if (out === '') throw new Error(err);
  return { ...(JSON.parse(out) as DryRun), code };
}

const namesOf = ({ events }: DryRun) => events.map(({ agent: name }) => name);
const payloadsOf = ({ events }: DryRun, name: string) =>
  events.filter((event) => event.agent === name).map(({ payload }) => payload);

const message = (payload: JsonValue): [string, JsonObject] => [
  'EventTransformation',
  { mode: 'message_only', payload },
];
const transformation = (options: JsonObject): [string, JsonObject] => ['EventTransformation', options];
const request = (options: JsonObject): [string, JsonObject] => [
  'HTTPRequest',
  { url: 'https://api.test/x', ...options },
];

describe('what a story does', () => {
  it('follows the branch that its triggers let through, and says which did not', async () => {
    const story = storyOf(
      {
        Hook: ['Webhook', {}],
        High: ['Trigger', { rules: [{ type: 'regex', path: '=hook.body.level', value: 'high' }] }],
        Low: ['Trigger', { rules: [{ type: 'regex', path: '=hook.body.level', value: 'low' }] }],
        Page: message({ to: '=hook.body.who' }),
        Note: message({ noted: true }),
        Other: message({ other: true }),
      },
      ['Hook > High > Page', 'Hook > Low > Note', 'Low ! Other'],
    );
    const dryRun = await tried(story, { event: { level: 'high', who: 'Ada' } });
    expect(dryRun).toMatchObject({ code: 0, ok: true, story: 'Story', silent: [], stopped: null });
    expect(namesOf(dryRun)).toEqual(['Hook', 'High', 'Low', 'Page', 'Other']);
    expect(payloadsOf(dryRun, 'Page')).toEqual([{ to: 'Ada' }]);
    expect(payloadsOf(dryRun, 'Hook')).toEqual([
      { headers: { 'content-type': 'application/json' }, body: { level: 'high', who: 'Ada' } },
    ]);
    const low = await tried(story, { event: { level: 'low' } });
    expect(low.silent.map(({ agent: name }) => name)).toEqual(['High']);
  });

  it('takes a list apart and puts it together again, in its order', async () => {
    const story = storyOf(
      {
        Hook: ['Webhook', { include_headers: false }],
        Split: transformation({ mode: 'explode', path: '=hook.list', to: 'item' }),
        Join: transformation({
          mode: 'implode',
          item_path: '=split.item',
          guid_path: '=split.guid',
          size_path: '=split.size',
        }),
        After: message({ joined: '=join' }),
      },
      ['Hook > Split > Join > After'],
    );
    const dryRun = await tried(story, { event: { list: ['a', 'b', 'c'] } });
    expect(namesOf(dryRun)).toEqual(['Hook', 'Split', 'Split', 'Split', 'Join', 'After']);
    expect(payloadsOf(dryRun, 'After')).toEqual([{ joined: ['a', 'b', 'c'] }]);
    expect(dryRun.waiting).toEqual([]);
  });

  it('gives a group up when its time is over, without waiting for it', async () => {
    const join = { mode: 'implode', guid_path: 'g', size_path: '2', timeout: 3600 };
    const story = storyOf({ Hook: ['Webhook', {}], Join: transformation(join) }, ['Hook > Join']);
    const dryRun = await tried(story);
    expect(dryRun.code).toBe(1);
    expect(dryRun.deadLetters).toEqual([
      expect.objectContaining({
        agent: 'Join',
        error: 'The group was dropped: 1 of 2 events arrived in time',
        elapsedMs: 3_600_000,
      }),
    ]);
  });

  it('takes a group as it is when its seconds are over', async () => {
    const join = { mode: 'implode', item_path: '=split.item', guid_path: 'g', seconds: 30 };
    const story = storyOf(
      {
        Hook: ['Webhook', { include_headers: false }],
        Split: transformation({ mode: 'explode', path: '=hook.list', to: 'item' }),
        Join: transformation(join),
        After: message({ joined: '=join' }),
      },
      ['Hook > Split > Join > After'],
    );
    const dryRun = await tried(story, { event: { list: ['a', 'b'] } });
    expect(payloadsOf(dryRun, 'After')).toEqual([{ joined: ['a', 'b'] }]);
    expect(dryRun.events.at(-1)).toMatchObject({ agent: 'After', elapsedMs: 30_000 });
    expect(dryRun).toMatchObject({ code: 0, deadLetters: [], waiting: [] });
  });

  it('lets delays pass at once, the shorter before the longer', async () => {
    const story = storyOf(
      {
        Hook: ['Webhook', {}],
        Long: transformation({ mode: 'delay', seconds: 86_400 }),
        Short: transformation({ mode: 'delay', seconds: '60' }),
        Late: message({}),
        Soon: message({}),
      },
      ['Hook > Long > Late', 'Hook > Short > Soon'],
    );
    const { events } = await tried(story);
    expect(events.map(({ agent: name, elapsedMs }) => [name, elapsedMs])).toEqual([
      ['Hook', 0],
      ['Short', 60_000],
      ['Soon', 60_000],
      ['Long', 86_400_000],
      ['Late', 86_400_000],
    ]);
  });

  it('lets each value pass once, and again when its period is over', async () => {
    const values = storyOf(
      {
        Hook: ['Webhook', {}],
        Split: transformation({ mode: 'explode', path: '=hook.body.list', to: 'item' }),
        Once: transformation({ mode: 'deduplicate', path: '=split.item' }),
      },
      ['Hook > Split > Once'],
    );
    const dryRun = await tried(values, { event: { list: ['a', 'b', 'a', 'a'] } });
    expect(payloadsOf(dryRun, 'Once')).toEqual([{ unique_event: true }, { unique_event: true }]);
    expect(dryRun.silent).toHaveLength(2);
    const twice = storyOf(
      {
        Hook: ['Webhook', {}],
        Split: transformation({ mode: 'explode', path: '=hook.body.list', to: 'item' }),
        Twice: transformation({ mode: 'deduplicate', path: '=split.item', tolerance: 2 }),
      },
      ['Hook > Split > Twice'],
    );
    const tolerant = await tried(twice, { event: { list: ['a', 'b', 'a', 'a'] } });
    expect(payloadsOf(tolerant, 'Twice')).toHaveLength(3);

    const periods = storyOf(
      {
        Hook: ['Webhook', {}],
        Wait: transformation({ mode: 'delay', seconds: 20 }),
        'Wait longer': transformation({ mode: 'delay', seconds: 90 }),
        Once: transformation({ mode: 'deduplicate', path: 'same', period: 60 }),
      },
      ['Hook > Once', 'Hook > Wait > Once', 'Hook > Wait longer > Once'],
    );
    const { events } = await tried(periods);
    expect(events.filter(({ agent: name }) => name === 'Once').map(({ elapsedMs }) => elapsedMs)).toEqual([
      0, 90_000,
    ]);
  });

  it('spaces out what a throttle lets through', async () => {
    const story = storyOf(
      {
        Hook: ['Webhook', {}],
        Split: transformation({ mode: 'explode', path: '=hook.body', to: 'item' }),
        Slow: transformation({ mode: 'throttle', capacity: 2, interval: 'minute' }),
      },
      ['Hook > Split > Slow'],
    );
    const { events } = await tried(story, { event: [1, 2, 3] });
    expect(events.filter(({ agent: name }) => name === 'Slow').map(({ elapsedMs }) => elapsedMs)).toEqual([
      0, 30_000, 60_000,
    ]);
  });

  it('runs an action once for each element of its loop', async () => {
    const each = { method: 'post', payload: { id: '=LOOP.value' }, loop: '=hook.body' };
    const story = storyOf({ Hook: ['Webhook', {}], Each: request(each) }, ['Hook > Each']);
    const dryRun = await tried(story, {
      event: ['a', 'b'],
      answer: [{ url: 'https://api.test/*', answer: 'ok' }],
    });
    expect(dryRun.requests.map(({ body }) => body)).toEqual([{ id: 'a' }, { id: 'b' }]);
    expect(payloadsOf(dryRun, 'Each')).toEqual([
      [
        { status: 200, headers: {}, body: 'ok' },
        { status: 200, headers: {}, body: 'ok' },
      ],
    ]);
  });

  it('asks for page after page', async () => {
    const paged = request({
      method: 'get',
      query_params: { page: '=PAGINATE.index + 1' },
      pagination: {
        has_more: '=SIZE(PAGINATE.previous_response.body) = 2',
        output_as_single_event: true,
      },
    });
    const dryRun = await tried(storyOf({ Hook: ['Webhook', {}], Paged: paged }, ['Hook > Paged']), {
      answer: [
        { url: 'https://api.test/*page=1', answer: [1, 2] },
        { url: 'https://api.test/*page=2', answer: [3] },
      ],
    });
    expect(dryRun.requests.map(({ url }) => url.split('?')[1])).toEqual(['page=1', 'page=2']);
    expect(payloadsOf(dryRun, 'Paged')).toMatchObject([[{ body: [1, 2] }, { body: [3] }]]);
  });

  it('keeps mails, makes prompts, and sends nothing', async () => {
    const story = storyOf(
      {
        Hook: ['Webhook', {}],
        Ask: [
          'Email',
          {
            recipients: ['ada@example.test'],
            cc: 'bob@example.test',
            subject: 'Block <<hook.body.ip>>?',
            body: '<<PROMPT("yes")>>',
          },
        ],
      },
      ['Hook > Ask'],
    );
    const dryRun = await tried(story, { event: { ip: '192.0.2.1' } }, [], {
      PUBLIC_URL: 'https://fabula.test/',
    });
    expect(dryRun.mails).toEqual([
      expect.objectContaining({
        agent: 'Ask',
        to: ['ada@example.test'],
        cc: ['bob@example.test'],
        subject: 'Block 192.0.2.1?',
        text: expect.stringMatching(/^https:\/\/fabula\.test\/prompts\/\w+$/),
      }),
    ]);
    expect(dryRun.prompts).toEqual([expect.objectContaining({ agent: 'Ask', status: 'yes' })]);
    expect(payloadsOf(dryRun, 'Ask')).toHaveLength(1);
  });
});

test('a record is written into memory, typed by its record type, and a wrong value is a dead letter', async () => {
  const writers = ['Host', 'Score', 'Seen'].map((name, index) => ({
    formula: `=hook.body.${name.toLowerCase()}`,
    record_field: { id: index, name, result_type: ['TEXT', 'NUMBER', 'TIMESTAMP'][index] ?? '' },
  }));
  const fields = writers.map(({ record_field: field }) => field);
  const settings = {
    record_writers: writers,
    record_type: { id: 9, name: 'Finding', record_fields: fields },
  };
  const story = storyOf(
    {
      Hook: ['Webhook', {}],
      Save: ['Record', { mode: 'create' }, settings],
      After: message({ id: '=save.id' }),
    },
    ['Hook > Save > After'],
  );
  const good = await tried(story, {
    event: { host: 'web-1', score: '7', seen: '2026-11-21T10:00:00+02:00' },
  });
  expect(payloadsOf(good, 'After')).toEqual([{ id: 1 }]);
  expect(good.records).toEqual([
    expect.objectContaining({
      agent: 'Save',
      record: expect.objectContaining({
        record_type: { id: 1, name: 'Finding' },
        values: {
          'Story name': 'Story',
          Timestamp: expect.any(String),
          Host: 'web-1',
          Score: 7,
          Seen: '2026-11-21 08:00:00',
        },
      }),
    }),
  ]);
  expect((await run(story, { event: { host: 'web-1' } })).out).toContain(
    '  Save  record of type "Finding"  {"Story',
  );
  const bad = await tried(story, { event: { score: 'many' } });
  expect(bad.deadLetters[0]!.error).toContain('field "Score" must be a number');
});

describe('stories that call each other', () => {
  const helper = storyOf(
    {
      Start: ['Webhook', {}],
      Double: message({ twice: '=start.body.n * 2' }),
      Also: message({ also: true }),
    },
    ['Start > Double', 'Start > Also'],
    { name: 'Helper', send_to_story_enabled: true, entry_agent_guid: 'Start', exit_agent_guids: ['Double'] },
  );
  const caller = (options: JsonObject) =>
    storyOf(
      {
        Hook: ['Webhook', {}],
        Ask: ['SendToStory', { story: '<<STORY.helper>>', payload: { n: '=hook.body.n' }, ...options }],
        After: message({ got: '=ask.twice' }),
      },
      ['Hook > Ask > After'],
      { name: 'Caller', send_to_stories: [helper] },
    );

  it('an embedded story is called, and its exit is the event of the calling action', async () => {
    const dryRun = await tried(caller({}), { event: { n: 4 } });
    expect(dryRun.events.map(({ story, agent: name, parentId }) => [story, name, parentId])).toEqual([
      ['Caller', 'Hook', null],
      ['Helper', 'Start', 1],
      ['Helper', 'Double', 3],
      ['Caller', 'Ask', 1],
      ['Helper', 'Also', 3],
      ['Caller', 'After', 5],
    ]);
    expect(payloadsOf(dryRun, 'After')).toEqual([{ got: 8 }]);
    expect([dryRun.code, dryRun.waiting]).toEqual([0, []]);
  });

  it('it is found behind the name of a team as well, and one that is not there is a dead letter', async () => {
    expect(
      payloadsOf(await tried(caller({ story: '=STORY.our_team.helper' }), { event: { n: 1 } }), 'After'),
    ).toEqual([{ got: 2 }]);
    const { code, deadLetters } = await tried(caller({ story: 'Nobody' }));
    expect([code, deadLetters]).toEqual([
      1,
      [expect.objectContaining({ agent: 'Ask', error: 'This team has no story "Nobody"' })],
    ]);
  });
});

describe('where it begins', () => {
  const story = storyOf(
    {
      First: message({ first: true }),
      'Hook 1': ['Webhook', {}],
      'Hook 2': ['Webhook', {}],
      Last: message({ got: '=upstream.x' }),
      Off: ['EventTransformation', { mode: 'message_only', payload: {} }, { disabled: true }],
    },
    ['First > Last', 'Hook 1 > Last', 'Hook 2 > Last'],
  );

  it('at the entry of the story, else its first webhook, else its first action that nothing leads to', async () => {
    const withEntry = { ...story, entry_agent_guid: '2'.padStart(32, '0') };
    expect(namesOf(await tried({ ...withEntry, entry_agent_guid: '3'.padStart(32, '0') }))[0]).toBe('Hook 2');
    expect(namesOf(await tried(story))[0]).toBe('Hook 1');
    expect(namesOf(await tried(storyOf({ B: message({}), A: message({}) }, ['A > B'])))).toEqual(['A', 'B']);
  });

  it('or at the action that is named, which knows what it is given', async () => {
    const dryRun = await tried(story, { event: { upstream: { x: 7 } } }, ['--start', 'Last']);
    expect(dryRun.events.map(({ agent: name, payload }) => [name, payload])).toEqual([['Last', { got: 7 }]]);
    expect(namesOf(await tried(story, {}, ['--start', 'hook_2']))[0]).toBe('Hook 2');
  });

  it('but not at one that is not there, or disabled', async () => {
    expect(await run(story, {}, ['--start', 'Nowhere'])).toMatchObject({
      code: 1,
      out: '',
      err: 'error: "Story" has no action "Nowhere"\n',
    });
    expect((await run(story, {}, ['--start', 'Off'])).err).toBe(
      'error: "Off" is disabled, so runs cannot start at it\n',
    );
  });

  it('with the headers that are given', async () => {
    const { events } = await tried(story, { event: [1] }, [
      '--header',
      'X-Event: push',
      '--header',
      'a:b: c',
    ]);
    expect(events[0]!.payload).toEqual({
      headers: { 'content-type': 'application/json', 'x-event': 'push', a: 'b: c' },
      body: [1],
    });
    expect((await run(story, {}, ['--header', 'nothing'])).err).toBe(
      'error: "nothing" does not have the form "name: value"\n',
    );
  });
});

const calling = (options: JsonObject) =>
  storyOf({ Hook: ['Webhook', {}], Call: request(options) }, ['Hook > Call']);

const call = (options: JsonObject, answer: JsonValue) => tried(calling(options), { answer });

describe('answers', () => {
  it('are tried again with back-off, as the rules give out', async () => {
    const answer = [
      { url: 'https://api.test/x', times: 2, status: 503 },
      { url: 'https://api.test/x', answer: { done: true } },
    ];
    const dryRun = await call({ retry_on_status: ['500-599'] }, answer);
    expect(dryRun.requests.map(({ status }) => status)).toEqual([503, 503, 200]);
    expect(dryRun.events.map(({ agent: name, elapsedMs }) => [name, elapsedMs])).toEqual([
      ['Hook', 0],
      ['Call', 3_000],
    ]);
    expect(dryRun.logs.map(({ level }) => level)).toEqual(['warn', 'warn']);
  });

  it('come from the first rule that fits method, address and body', async () => {
    const rules = [
      { method: 'GET', url: '*', answer: 'wrong method' },
      { url: 'https://api.test/x?*', answer: 'no query' },
      { url: { regex: '^https://other' }, answer: 'wrong host' },
      { url: '*', body: { list: [{ b: 3 }] }, answer: 'wrong body' },
      {
        url: 'https://*/x',
        body: { list: [{ b: 2 }] },
        headers: { 'X-Kind': 'a' },
        status: 201,
        answer: { ok: 1 },
      },
    ];
    const dryRun = await call({ method: 'post', payload: { list: [{ a: 1 }, { a: 1, b: 2 }] } }, rules);
    expect(payloadsOf(dryRun, 'Call')).toEqual([
      { status: 201, headers: { 'x-kind': 'a' }, body: { ok: 1 } },
    ]);
  });

  it('can be bytes, or none at all', async () => {
    const png = Buffer.from([0x89, 0x50, 0, 1]).toString('base64');
    expect(payloadsOf(await call({}, [{ url: '*', base64: png }]), 'Call')).toEqual([
      { status: 200, headers: {}, body: png, encoding: 'base64' },
    ]);
    const silent = await call({}, [{ url: '*', status: 0, answer: 'api.test: the connection was refused' }]);
    expect(payloadsOf(silent, 'Call')).toEqual([
      { status: 0, headers: {}, body: 'api.test: the connection was refused' },
    ]);
    expect([silent.code, silent.unanswered]).toEqual([0, []]);
  });

  it('that no rule gives are listed, and fail the dryRun', async () => {
    const dryRun = await call({ method: 'delete' }, [{ method: 'GET', url: '*' }]);
    expect(dryRun).toMatchObject({ code: 1, ok: false, unanswered: ['DELETE https://api.test/x'] });
    expect(payloadsOf(dryRun, 'Call')).toEqual([
      { status: 0, headers: {}, body: 'no rule matches DELETE https://api.test/x' },
    ]);
  });

  it('are refused with the place of what is wrong in the rules', async () => {
    const { code, err } = await run(calling({}), { answer: [{ status: 'x' }, { url: { regex: '(' } }] });
    expect(code).toBe(1);
    expect(err).toMatch(/^error: answer rules: "\[0\]\.url" is required; "\[0\]\.status" must be a number; /);
    expect(err).toContain('[1].url');
  });
});

describe('what does not get through', () => {
  it('is a dead letter at its place, with the reason', async () => {
    const story = storyOf({ Hook: ['Webhook', {}], Bad: message({ a: '=1 / 0' }), Good: message({}) }, [
      'Hook > Bad',
      'Hook > Good',
    ]);
    const dryRun = await tried(story);
    expect(dryRun.deadLetters).toEqual([
      expect.objectContaining({ agent: 'Bad', error: expect.stringContaining('divided by 0') }),
    ]);
    expect([dryRun.code, dryRun.ok, namesOf(dryRun)]).toEqual([1, false, ['Hook', 'Good']]);
  });

  it('names the action that can only be stored', async () => {
    const story = storyOf({ Hook: ['Webhook', {}], Read: ['IMAP', {}] }, ['Hook > Read']);
    const dryRun = await tried(story);
    expect(dryRun.importOnly).toEqual([
      { story: 'Story', agent: 'Read', reason: 'this server does not read mailboxes' },
    ]);
    expect([dryRun.code, dryRun.deadLetters.length]).toEqual([1, 1]);
  });

  it('stops a story that never ends', async () => {
    const story = storyOf({ Hook: ['Webhook', {}], A: message({}), B: message({}) }, ['Hook > A > B > A']);
    const dryRun = await tried(story, {}, ['--max-events', '50']);
    expect(dryRun).toMatchObject({
      code: 1,
      stopped: 'more than 50 events: runaway run',
    });
    expect((await tried(story)).stopped).toMatch(/^more than 20000 events/);
    expect((await tried(story, {}, [], { RUN_EVENT_LIMIT: '10' })).stopped).toMatch(/^more than 10 events/);
  });

  it('gives up after as many attempts as the server makes', async () => {
    const mail = {
      recipients: ['a@example.test'],
      subject: 's',
      attachments: [{ filename: 'x', contents: 5 }],
    };
    const story = storyOf(
      { Hook: ['Webhook', {}], Call: request({ fail_on_status: ['503'] }), Mail: ['Email', mail] },
      ['Hook > Call'],
    );
    const dryRun = await tried(story, { answer: [{ url: '*', status: 503 }] }, [], { MAX_ATTEMPTS: '3' });
    expect([dryRun.requests.length, dryRun.deadLetters.length]).toEqual([3, 1]);
  });
});

describe('values', () => {
  const story = storyOf(
    {
      Hook: ['Webhook', {}],
      Call: request({
        headers: { authorization: 'Bearer <<CREDENTIAL["Jira key"]>>' },
        query_params: { host: '<<RESOURCE.host>>', key: '<<CREDENTIAL.jira_key>>' },
      }),
    },
    ['Hook > Call'],
  );
  const answer = [{ url: '*' }];

  it('are stood in for where they are not given, and listed once', async () => {
    const dryRun = await tried(story, { answer });
    expect(dryRun.missing).toEqual({ credentials: ['Jira key'], resources: ['host'] });
    expect(dryRun.requests[0]!.url).toBe('https://api.test/x?host=&key=%3Ccredential%20jira_key%3E');
    expect(dryRun.code).toBe(0);
  });

  it('go where templates name them, and no secret is printed', async () => {
    const values = { resources: { host: { any: 'value' } }, credentials: { 'Jira key': 'top-secret' } };
    const given = [{ url: '*key=top-secret', answer: { echo: 'top-secret' } }];
    const { out } = await run(story, { answer: given, values }, ['--json']);
    expect(out).not.toContain('top-secret');
    const dryRun = JSON.parse(out) as DryRun;
    expect(dryRun.missing).toEqual({ credentials: [], resources: [] });
    expect(payloadsOf(dryRun, 'Call')).toEqual([
      { status: 200, headers: {}, body: { echo: '[credential Jira key]' } },
    ]);
    expect((await run(story, { answer: given, values }, ['--full'])).out).not.toContain('top-secret');
  });

  it('must be of their kind', async () => {
    const { err } = await run(story, { values: { credentials: { a: 1 }, more: {} } });
    expect(err).toBe('error: values: "credentials.a" must be a string; "more" is not allowed\n');
  });
});

describe('--record', () => {
  it('sends what no rule answers, and writes rules that give the same dry run again, without secrets', async () => {
    const target = await startHttpTarget();
    target.on('/token/top-secret', {
      body: { token: 'top-secret', at: 1 },
      headers: { 'set-cookie': 'session=1' },
    });
    target.on('/text', { body: 'plain', status: 202 });
    const story = storyOf(
      {
        Hook: ['Webhook', {}],
        Ruled: request({ url: 'https://ruled.test' }),
        Token: request({ url: `${target.url}/token/<<CREDENTIAL.key>>` }),
        Text: request({ url: `${target.url}/text`, method: 'post', payload: { a: 1 } }),
      },
      ['Hook > Ruled > Token > Text'],
    );
    const values = { credentials: { key: 'top-secret' } };
    const answer = [{ url: 'https://ruled.test' }];
    const file = path.join(folder, 'recorded.json');
    const allow = { OUTBOUND_ALLOW: '127.0.0.0/8' };
    const first = await tried(story, { values, answer }, ['--record', file], allow);
    await target.close();
    expect([first.code, target.requests.length]).toEqual([0, 2]);
    expect(first.requests.map(({ status }) => status)).toEqual([200, 200, 202]);

    const text = await readFile(file, 'utf8');
    expect(text).not.toMatch(/top-secret|session/);
    const rules = JSON.parse(text) as JsonObject[];
    expect(rules.map(({ method, url, times, status }) => [method, url, times, status])).toEqual([
      ['POST', `${target.url}/token/*`, 1, 200],
      ['POST', `${target.url}/text`, 1, 202],
    ]);
    const again = await tried(story, { answer: [...answer, ...rules] });
    expect(again.code).toBe(0);
    expect(payloadsOf(again, 'Token')).toEqual([
      expect.objectContaining({ status: 200, body: { token: '[credential key]', at: 1 } }),
    ]);
    expect(payloadsOf(again, 'Text')).toEqual([expect.objectContaining({ status: 202, body: 'plain' })]);
  });

  it('reaches private addresses no more than the server does', async () => {
    const story = storyOf({ Hook: ['Webhook', {}], Call: request({ url: 'http://127.0.0.1:9/' }) }, [
      'Hook > Call',
    ]);
    const dryRun = await tried(story, {}, ['--record', path.join(folder, 'recorded.json')]);
    expect(dryRun.requests).toEqual([expect.objectContaining({ status: 0 })]);
  });
});

describe('the command reads', () => {
  it('the body of an import as well, and standard input', async () => {
    const story = storyOf({ A: message({}) }, []);
    expect((await tried({ new_name: 'New', data: story })).story).toBe('New');
    const args = ['story', 'try', '-', '--json'];
    const { out } = await runCli(args, { input: JSON.stringify(story) });
    expect((JSON.parse(out) as DryRun).story).toBe('Story');
  });

  it('nothing that an import would refuse', async () => {
    const refused = await run(smallExport({ links: [{ source: 0, receiver: 9 }] }));
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toMatch(
      /^error: an import would refuse the story: "data\.links\[0\]\.receiver" is 9/,
    );
    expect((await runCli(['story', 'try', '-'], { input: '{' })).err).toContain('is not JSON');
  });

  it('a story that is disabled, in its own language', async () => {
    const disabled = smallExport({ disabled: true });
    const dryRun = await tried(disabled, { event: { word: 'x' } });
    expect(dryRun.events.map(({ agent: name }) => name)).toEqual(['Webhook 1', 'EventTransformation 2']);
    const odd = {
      ...disabled,
      agents: [agent('Agents::WebhookAgent', '1', {}), ...disabled.agents.slice(1)],
    };
    expect((await tried(odd)).code).toBe(0);
  });
});

describe('the text for people', () => {
  it('is a tree of events, with what else happened at its place, and sums at the end', async () => {
    const story = storyOf(
      {
        Hook: ['Webhook', { include_headers: false }],
        Look: request({ url: 'https://api.test/<<hook.id>>' }),
        Wait: transformation({ mode: 'delay', seconds: 1.5 }),
        Tell: [
          'Email',
          { recipients: ['a@example.test'], subject: 'About <<hook.id>>', body: '<<CREDENTIAL.key>>' },
        ],
        Odd: transformation({ mode: 'explode', path: 'no list', to: 'x' }),
        Bad: message({ a: '=1 +' }),
      },
      ['Hook > Look > Wait > Tell', 'Hook > Odd', 'Hook > Bad'],
    );
    const { code, out } = await run(story, { event: { id: 'i-1', text: 'long '.repeat(40) } });
    expect(code).toBe(1);
    const lines = out.trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^Hook {2}\[#1\] {2}\{"id":"i-1","text":"long (long )+.*…$/),
      '  Look  POST https://api.test/i-1  no response: no rule matches POST https://api.test/i-1',
      '  Look  error: no rule matches POST https://api.test/i-1',
      expect.stringMatching(/^ {2}Look {2}\[#2\] {2}\{"status":0,/),
      '    Wait  after 1.5 s  [#3]  {"seconds":1.5}',
      '      Tell  mail to a@example.test  About i-1',
      expect.stringMatching(/^ {6}Tell {2}\[#4\] {2}\{"recipients":\["a@example\.test"\],/),
      '  Odd  warn: path is a text, not a list: nothing was emitted',
      '  Odd  no event',
      expect.stringMatching(/^ {2}Bad {2}dead letter: payload\.a: /),
      '',
      '4 events, 1 request, 1 mail, 1 dead letter',
      'no rule matches POST https://api.test/i-1',
      'missing credential: key',
    ]);
    const full = await run(story, { event: { id: 'i-1', text: 'long '.repeat(40) } }, ['--full']);
    expect(full.out).toContain(`"text":"${'long '.repeat(40)}"`);
  });

  it('shows called stories under the action that calls them', async () => {
    const helper = storyOf(
      { In: ['Webhook', { include_headers: false }], Out: message({ ok: 1 }) },
      ['In > Out'],
      {
        name: 'Helper',
        exit_agent_guids: ['Out'],
      },
    );
    const story = storyOf(
      {
        Hook: ['Webhook', {}],
        Ask: ['SendToStory', { story: 'Helper', payload: {} }],
        End: message({ b: '=ask' }),
      },
      ['Hook > Ask > End'],
      { send_to_stories: [helper] },
    );
    const { out } = await run(story);
    expect(out.split('\n').map((line) => line.replace(/ {2}\{.*/, ''))).toEqual([
      'Hook  [#1]',
      '  Ask  calls "Helper"',
      '    In  [#3]',
      '      Out  [#4]',
      '  Ask  [#5]',
      '    End  [#6]',
      '',
      '6 events, 0 requests, 0 mails, 0 dead letters'.replace('6', '5'),
      '',
    ]);
  });

  it('lets no control character through, however deep the tree goes', async () => {
    const story = storyOf({ Hook: ['Webhook', {}], A: message({ a: '=hook.body' }) }, ['Hook > A > A']);
    const { out } = await run(story, { event: '\u009b31m' }, ['--max-events', '200']);
    expect(out.replace(/\n/g, '')).not.toMatch(/\p{Cc}/u);
    expect(out).toContain('stopped: more than 200 events');
  });
});

test('the worked example of the documentation comes out as it says there', async () => {
  const checkout = path.resolve(__dirname, '../..');
  const page = await readFile(path.join(checkout, 'docs/use/command-line.md'), 'utf8');
  const [, section = ''] = page.split('\n## story try\n');
  const [, script = '', shown = ''] = /```sh\n([\s\S]*?)```\n\n```\n([\s\S]*?)```/.exec(section) ?? [];
  const fabula = `'${process.execPath}' '${builtFile('cli')}'`;
  await symlink(path.join(checkout, 'docs'), path.join(folder, 'docs'));
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-euo', 'pipefail', '-c', script.replaceAll('npm run -s fabula --', fabula)],
    { cwd: folder, timeout: 60_000 },
  );
  expect(stdout).toBe(shown);
});
