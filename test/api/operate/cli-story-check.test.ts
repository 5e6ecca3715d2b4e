import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Unprocessable } from '../../../src/platform/errors.js';
import type { JsonObject } from '../../../src/platform/json.js';
import type { presentReports } from '../../../src/stories/check/check-presenter.js';
import { runCli } from '../../support/run-cli.js';
import { useStores } from '../../support/stores.js';
import { agent, guidOf, makeTeam, smallExport } from '../../support/stories.js';
import { useStoryApi } from '../../support/story-api.js';

type Report = ReturnType<typeof presentReports>;

const stores = useStores();
const api = useStoryApi(stores);

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'fabula-check-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** An environment in which every command that opens a database fails. */
const env = () => ({ DATA_DIR: path.join(folder, 'nothing') });

async function save(name: string, content: unknown): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

async function check(content: unknown, ...options: string[]) {
  const { code, out, err } = await runCli(['story', 'check', '-', '--json', ...options], {
    env: env(),
    input: JSON.stringify(content),
  });
  expect(err).toBe('');
  const report = JSON.parse(out) as Report;
  return { code, report, file: report.files[0]!, actions: report.files[0]!.story?.actions ?? [] };
}

async function checkText(content: unknown): Promise<string> {
  return (await runCli(['story', 'check', '-'], { env: env(), input: JSON.stringify(content) })).out;
}

const message = (digit: string, payload: JsonObject, overrides: JsonObject = {}) =>
  agent('Agents::EventTransformationAgent', digit, { mode: 'message_only', payload }, overrides);

const liquid = (agents: JsonObject[], overrides: JsonObject = {}) =>
  smallExport({ agents, links: [], diagram_layout: '{}', ...overrides });

const formulas = (agents: JsonObject[], overrides: JsonObject = {}) =>
  liquid(agents, { schema_version: 30, standard_lib_version: '90', ...overrides });

const webhook = (digit: string) => agent('Agents::WebhookAgent', digit, { path: 'same' });

const references = async (story: JsonObject) => {
  const { code, actions } = await check(story);
  expect(code).toBe(0);
  return actions.flatMap(({ findings }) =>
    findings.map(({ kind, message, option, line, column }) => [kind, message, option, line, column]),
  );
};
const unknown = (name: string, option: string, line: number, column: number) => [
  'reference',
  `this story has no action called "${name}"`,
  option,
  line,
  column,
];

const reasonAndFinding = async (story: JsonObject) => {
  const { code, actions } = await check(story);
  return [
    code,
    ...actions.flatMap(({ reason, findings }) => [reason, findings[0]?.kind, findings[0]?.level]),
  ];
};

describe('what the command reports for each action', () => {
  it('runs, when nothing is wrong with it; no database is asked for', async () => {
    const { code, report, actions } = await check(
      smallExport({
        agents: [
          agent('Agents::WebhookAgent', '1', { path: 'small', secret: 'open sesame' }),
          message('2', { a: '{{ .webhook_1.body }}' }),
          agent('Agents::TriggerAgent', '3', { rules: [{ type: 'regex', value: 'x', path: 'y' }] }),
        ],
      }),
    );
    expect([code, report.ok]).toEqual([0, true]);
    expect(actions.map(({ state, findings }) => [state, findings])).toEqual([
      ['runs', []],
      ['runs', []],
      ['runs', []],
    ]);
    expect(report.totals).toEqual({
      stories: 1,
      actions: 3,
      links: 2,
      runs: 3,
      fails: 0,
      disabled: 0,
      import_only: 0,
      refusals: 0,
      errors: 0,
      warnings: 0,
      hints: 0,
      liquid: 1,
      formula: 0,
    });
  });

  it('fails, with the place of each text that does not parse, in Liquid', async () => {
    const fields = [{ text: 'Hello\n  {% if .webhook_1.body %}' }, { text: '{{ .webhook_1.body }}' }];
    const { code, report, actions } = await check(
      liquid([agent('Agents::WebhookAgent', '1', { path: 'small' }), message('2', { fields })]),
    );
    expect([code, report.ok]).toEqual([1, false]);
    expect(actions[1]).toEqual({
      position: 1,
      name: 'EventTransformation 2',
      type: 'Agents::EventTransformationAgent',
      mode: 'message_only',
      state: 'fails',
      reason: 'payload.fields[0].text has a syntax error',
      templates: 2,
      findings: [
        {
          level: 'error',
          kind: 'template',
          message: 'tag {% if webhook_1.body %} not closed',
          option: 'payload.fields[0].text',
          line: 2,
          column: 3,
        },
      ],
    });
  });

  it('fails, with the place of each text that does not parse, in formulas', async () => {
    const { code, actions } = await check(
      formulas([message('1', { a: 'line one\nsum: <<SUM(1, >>', b: '=NONSENSE(1)' })]),
    );
    expect(code).toBe(1);
    expect(actions[0]!.findings.map(({ option, line, column }) => [option, line, column])).toEqual([
      ['payload.a', 2, 15],
      ['payload.b', 1, 2],
    ]);
    expect(actions[0]!.findings[1]!.message).toContain('NONSENSE');
  });

  it('reads the formulas that write a record, which stand beside the options', async () => {
    const writers = [{ formula: '<<META.story.name>>' }, { formula: '=1 +' }];
    const { code, actions } = await check(
      formulas([agent('Agents::RecordAgent', '1', { mode: 'create' }, { record_writers: writers })]),
    );
    expect(code).toBe(1);
    expect(actions[0]!.templates).toBe(2);
    expect(actions[0]!.findings.filter(({ kind }) => kind === 'template')).toEqual([
      expect.objectContaining({ level: 'error', option: 'record_writers[1].formula', line: 1, column: 5 }),
    ]);
  });

  it('fails with a call of a filter that always fails, and with a constant pattern in a template', async () => {
    expect(await reasonAndFinding(liquid([message('1', { a: '{{ x | upcase: 1 }}' })]))).toEqual([
      1,
      'payload.a has a filter with the wrong number of arguments',
      'filter',
      'error',
    ]);
    const unusable = [1, 'payload.a has a pattern that cannot be used', 'pattern', 'error'];
    expect(
      await reasonAndFinding(liquid([message('1', { a: '{{ "x" | regex_replace: "(", "" }}' })])),
    ).toEqual(unusable);
    expect(await reasonAndFinding(formulas([message('1', { a: '=REGEX_FIND("x", "(")' })]))).toEqual(
      unusable,
    );
  });

  it('fails with a pattern that cannot be used; what a template gives is not known', async () => {
    const rules = [
      { type: 'regex', path: '<<META.story.name>>', value: '^\\d{2}x(?~y)z' },
      { type: '!regex', path: 'a', value: ['ok', '(', '<<META.story.name>>('] },
      { type: 'field==value', path: 'a', value: '(' },
    ];
    const matchers = [
      { path: 'x', regexp: '[a-z]+', to: 'a' },
      { path: 'x', regexp: 'a\\k<b>c', to: 'b' },
    ];
    const { code, actions } = await check(
      formulas([
        agent('Agents::TriggerAgent', '1', { rules }),
        agent('Agents::EventTransformationAgent', '2', { mode: 'extract', matchers }),
      ]),
    );
    expect(code).toBe(1);
    expect(actions.map(({ state, reason }) => [state, reason])).toEqual([
      ['fails', 'the pattern rules[0].value cannot be used'],
      ['fails', 'the pattern matchers[1].regexp cannot be used'],
    ]);
    const findings = actions.flatMap((action) => action.findings);
    expect(findings.map(({ level, kind, option }) => [level, kind, option])).toEqual([
      ['error', 'pattern', 'rules[0].value'],
      ['error', 'pattern', 'rules[1].value[1]'],
      ['error', 'pattern', 'matchers[1].regexp'],
    ]);
    for (const { message } of findings) expect(message).toMatch(/^invalid pattern: ./);
  });

  it('warns of options that mean nothing here, where they say something', async () => {
    const url = 'https://api.test/x';
    const { code, actions } = await check(
      formulas([
        agent('Agents::HTTPRequestAgent', '1', { url, customize_output: '=1', disable_url_encoding: false }),
        agent('Agents::EmailAgent', '2', {
          recipients: 'a@b.test',
          send_to_draft: 'true',
          customize_output: 1,
        }),
        agent('Agents::WebhookAgent', '3', {
          path: 'p',
          secret: 's',
          match_rules: [{ type: 'regex', path: 'body.a', value: 'b' }],
          must_match: '1',
          access_control: '',
        }),
      ]),
    );
    expect(code).toBe(0);
    expect(
      actions.map(({ state, findings }) => [state, findings.map(({ level, option }) => [level, option])]),
    ).toEqual([
      ['runs', [['warning', 'customize_output']]],
      [
        'runs',
        [
          ['warning', 'send_to_draft'],
          ['warning', 'customize_output'],
        ],
      ],
      [
        'runs',
        [
          ['warning', 'match_rules'],
          ['warning', 'must_match'],
          ['hint', 'secret'],
        ],
      ],
    ]);
  });

  it('warns of a filter that is not known, which leaves its value as it is', async () => {
    const { code, actions, report } = await check(
      liquid([message('1', { a: 'x\n{{ "a" | shout }}' })]),
      '--strict',
    );
    expect([code, report.totals.warnings]).toEqual([0, 1]);
    expect(actions[0]).toMatchObject({ state: 'runs', reason: null });
    expect(actions[0]!.findings).toEqual([
      {
        level: 'warning',
        kind: 'filter',
        message: 'Unknown filter "shout": the value is unchanged',
        option: 'payload.a',
        line: 2,
        column: 1,
      },
    ]);
  });

  it('does not run, when it is of a type that can only be stored; --strict fails then', async () => {
    const story = liquid([agent('Agents::IMAPAgent', '1', {})]);
    const { code, actions } = await check(story);
    expect(code).toBe(0);
    const [{ state, reason, findings }] = actions as [(typeof actions)[0]];
    expect([state, reason]).toEqual(['import_only', 'this server does not read mailboxes']);
    expect(findings).toEqual([expect.objectContaining({ level: 'warning', kind: 'type', message: reason })]);
    expect((await check(story, '--strict')).code).toBe(1);
  });

  it('does not run and fails the check, when its type is unknown', async () => {
    const { code, actions } = await check(liquid([agent('Agents::TelepathyAgent', '2', {})]));
    expect(code).toBe(1);
    const reason = 'this server has no action type Agents::TelepathyAgent';
    expect(actions[0]).toMatchObject({ state: 'import_only', reason });
    expect(actions[0]!.findings).toEqual([expect.objectContaining({ level: 'error', kind: 'type' })]);
  });

  it('does not run, when it or its story is disabled', async () => {
    const off = await check(liquid([message('1', {}, { disabled: true }), message('2', {})]));
    expect(off.actions.map(({ state, reason }) => [state, reason])).toEqual([
      ['disabled', 'it is disabled'],
      ['runs', null],
    ]);
    const { actions } = await check(liquid([message('1', {})], { disabled: true }));
    expect(actions[0]).toMatchObject({ state: 'disabled', reason: 'its story is disabled' });
  });

  it('hints at a webhook without a path, and a template in its response does not stop its calls', async () => {
    const { code, actions } = await check(
      liquid([
        agent('Agents::WebhookAgent', '1', { path: '', response: '{{ .validation_token }}' }),
        agent('Agents::WebhookAgent', '2', { path: 'here', response: '{{ .a' }),
      ]),
    );
    expect(code).toBe(1);
    expect(actions.map(({ state }) => state)).toEqual(['runs', 'runs']);
    expect(actions[0]!.findings).toEqual([
      {
        level: 'hint',
        kind: 'webhook_path',
        message: 'the webhook has no path: the import generates one',
        option: 'path',
        line: null,
        column: null,
      },
    ]);
  });
});

describe('references to actions that are not in the story', () => {
  it('are hints in Liquid, at the tag that holds them', async () => {
    const story = liquid([
      message('1', { a: 'x\n {{ .gone.body | default: .event_transformation_1.a }}' }),
      message('2', { b: '{% for i in .eventtransformation_1.list %}{{ i }}{{ forloop.index }}{% endfor %}' }),
    ]);
    expect(await references(story)).toEqual([
      unknown('gone', 'payload.a', 2, 2),
      unknown('event_transformation_1', 'payload.a', 2, 2),
    ]);
  });

  it('are hints in formulas, at the name', async () => {
    const story = formulas([
      message('1', { a: '=MAP(eventtransformation_1.list, LAMBDA(item, item.x & gone.y))' }),
      message('2', { a: '<% for row in lost.rows %><<row.id>><% endfor %>' }),
    ]);
    expect(await references(story)).toEqual([
      unknown('gone', 'payload.a', 1, 56),
      unknown('lost', 'payload.a', 1, 15),
    ]);
  });

  it('are not seen in roots, event keys, variables, or what another option of the action has set', async () => {
    const inLiquid = liquid([
      message('1', {
        a: '{% capture total %}3{% endcapture %}{% assign own = 1 %}{{ own }}',
        b: '{{ total }} {{ .META.story.name }} {{ .validationToken }} {{ . }} {{ "now" | date: "%s" }}',
        c: '{% credential jira %}{{ .CREDENTIAL.jira }}{{ .RESOURCE.host }}{{ .STORY.lookup }}{{ PAGINATE.index }}',
      }),
    ]);
    expect(await references(inLiquid)).toEqual([]);
    const inFormulas = formulas([
      agent('Agents::HTTPRequestAgent', '1', {
        url: 'https://example.test/<<RESOURCE.host>>',
        local: { id: '=META.story.id' },
        payload: { a: '=LOCAL.id', b: '=LOOP.value', c: '=TRUE', d: '=PAGINATE.index' },
        pagination: { has_more: '=PAGINATE.previous_response.body.more' },
      }),
    ]);
    expect(await references(inFormulas)).toEqual([]);
  });
});

describe('the result that an import of the file would have', () => {
  it('lists every reason to refuse it, by its place, and checks the actions all the same', async () => {
    const { code, file, actions } = await check(
      liquid([agent('Agents::TriggerAgent', '1', { rules: 5 }), message('2', { a: '{{ .a' })], {
        links: [{ source: 0, receiver: 9 }],
        diagram_layout: 'nowhere',
      }),
    );
    expect(code).toBe(1);
    expect(file.refusals.map(({ details }) => details)).toEqual([
      'data.agents[0].options.rules',
      'data.links[0].receiver',
      'data.diagram_layout',
    ]);
    expect(actions[1]!.state).toBe('fails');
  });

  it.each([
    [
      'rules',
      liquid([agent('Agents::TriggerAgent', '1', { rules: 5 })], { links: [{ source: 1, receiver: 2 }] }),
    ],
    [
      'the structure',
      { name: 'X', schema_version: 'new', agents: [{}], links: [{ source: -1 }], disabled: 'maybe' },
    ],
    ['no name', { schema_version: 3, agents: [], links: [] }],
    ['a path', liquid([agent('Agents::WebhookAgent', '1', { path: 'a/b' })])],
    ['nothing', smallExport({ schema_version: 77 })],
  ])('refuses and warns of exactly what the import does: %s', async (_, story: JsonObject) => {
    const actor = await makeTeam(stores.db);
    const imported = await api.stories
      .import(actor, { new_name: story.name, data: story })
      .then(({ warnings }) => ({ warnings, refusals: [] }))
      .catch((error: Unprocessable) => ({ warnings: [], refusals: error.problems }));
    const { warnings, refusals } = (await check(story)).file;
    expect(
      refusals.map(({ message, details }) => ({ message, ...(details !== null && { details }) })),
    ).toEqual(imported.refusals);
    if (refusals.length === 0) expect(warnings).toEqual(imported.warnings);
  });

  it('says what is wrong with a structure that is no export', async () => {
    const { code, file } = await check({
      name: 'X',
      schema_version: 3,
      agents: [{ name: 'a' }],
      links: 'none',
    });
    expect([code, file.story]).toEqual([1, null]);
    expect(file.refusals.map(({ details }) => details)).toEqual([
      'data.agents[0].type',
      'data.agents[0].options',
      'data.links',
    ]);
  });

  it('repeats the warnings of an import', async () => {
    const { code, file } = await check(
      liquid([webhook('1'), webhook('2')], { schema_version: 99, keep_events_for: 5 }),
    );
    expect(code).toBe(0);
    expect(file.warnings).toEqual([
      expect.stringContaining('"Small story" has schema_version 99'),
      expect.stringContaining('keep_events_for of "Small story" is 5'),
      expect.stringContaining('The webhook path "same" of "Webhook 2" is already in use'),
    ]);
  });

  it('has no warning for the hidden secrets of a file that was pulled', async () => {
    const pulled = agent('Agents::WebhookAgent', '1', { path: 'alerts', secret: '[hidden]' });
    const { file, actions } = await check(liquid([pulled]));
    expect(file.warnings).toEqual([]);
    expect(actions[0]?.findings).toMatchObject([{ level: 'hint', kind: 'webhook_secret', option: 'secret' }]);
  });

  it('names what the team must have: by name or slug once, but for what is embedded', async () => {
    const story = liquid(
      [
        message('1', {
          a: '{% credential Jira key %}{{ .CREDENTIAL.jira_key }}{{ .CREDENTIAL["aws"] }}',
          b: '{% global_resource host %}{{ .RESOURCE.list | join: "," }}',
          c: '{% story Inner one %}{{ .STORY.inner_one }}{% story Outer %}{{ .STORY.small_story }}',
          d: '{{ .STORY.our_team.inner_one }}{{ .STORY.our_team.remote }}{{ .STORY.inner_one.nothing }}',
        }),
        agent('Agents::SendToStoryAgent', '2', { story: 'Plain', payload: {} }),
        agent('Agents::SendToStoryAgent', '3', { story: '{% story Inner one %}', payload: {} }),
      ],
      {
        send_to_stories: [
          formulas([message('4', { d: '=RESOURCE.deep & CREDENTIAL["x y"]' })], { name: 'Inner one' }),
        ],
      },
    );
    expect((await check(story)).file.needs).toEqual({
      credentials: ['aws', 'Jira key', 'x y'],
      resources: ['deep', 'host', 'list'],
      stories: ['Outer', 'Plain', 'remote'],
    });
  });

  it('checks the stories that are embedded, each in its own language', async () => {
    const inner = formulas([message('4', { d: '=1 +', e: '{{ plain text' })], { name: 'Inner' });
    const { code, file } = await check(liquid([message('1', {})], { send_to_stories: [inner] }));
    expect(code).toBe(1);
    expect(file.story!.sub_stories).toEqual([
      expect.objectContaining({ name: 'Inner', language: 'formula', schema_version: 30, sub_stories: [] }),
    ]);
    const [action] = file.story!.sub_stories[0]!.actions;
    expect(action!.findings).toEqual([expect.objectContaining({ option: 'payload.d', line: 1, column: 5 })]);
    expect(file.counts).toMatchObject({ stories: 2, actions: 2, runs: 1, fails: 1, errors: 1 });
  });
});

describe('the command reads', () => {
  it('the body of an import as well, with the name that is given there', async () => {
    const { code, file } = await check({ new_name: 'New', data: smallExport(), team_id: 3 });
    expect([code, file.story!.name]).toEqual([0, 'New']);
    const refused = await check({ data: smallExport(), new_name: 'N', colour: 'red' });
    expect([refused.code, refused.file.refusals.map(({ details }) => details)]).toEqual([1, ['colour']]);
  });

  it('several files, of which one that is no export is named and the others are checked', async () => {
    const good = await save('good.json', smallExport());
    const bad = await save('bad.json', '{"name": ');
    const list = await save('list.json', [1]);
    const { code, out } = await runCli(['story', 'check', good, bad, list, '--json'], { env: env() });
    const report = JSON.parse(out) as Report;
    expect(code).toBe(1);
    expect(report.files.map(({ file, refusals }) => [file, refusals.length > 0])).toEqual([
      [good, false],
      [bad, true],
      [list, true],
    ]);
    expect(report.files[1]!.refusals).toEqual([{ message: 'is not JSON', details: null }]);
    expect(report.totals).toMatchObject({ actions: 3, runs: 3 });
  });

  it('nothing from a file that is not there', async () => {
    const { code, out, err } = await runCli(['story', 'check', path.join(folder, 'no.json')], { env: env() });
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^error: .*ENOENT.*\n$/);
  });
});

describe('the text for people', () => {
  it('aligns the actions, puts findings under them and sub-stories inside, and counts at the end', async () => {
    const inner = liquid([message('4', { a: '{{ .a | shout }}' }, { name: 'Deep' })], { name: 'Inner' });
    const story = liquid(
      [
        agent('Agents::WebhookAgent', '1', { path: 'p' }),
        message('2', { fields: [{ text: 'x {{ .a' }], b: '{% credential jira %}' }),
        agent('Agents::IMAPAgent', '3', {}),
      ],
      { send_to_stories: [inner], links: [{ source: 0, receiver: 1 }], keep_events_for: 5 },
    );
    const lines = (await checkText(story)).trimEnd().split('\n');
    expect(lines).toEqual([
      'standard input: "Small story" (schema_version 3, liquid, 3 actions, 1 link)',
      expect.stringMatching(/^ {2}warning {2}keep_events_for of "Small story" is 5/),
      '  [0]  Webhook 1              WebhookAgent                           runs',
      '  [1]  EventTransformation 2  EventTransformationAgent message_only  fails: payload.fields[0].text has a syntax error',
      expect.stringMatching(/^ {6}error {4}payload\.fields\[0\]\.text 1:3 {2}\S/),
      '  [2]  IMAP 3                 IMAPAgent                              does not run: this server does not read mailboxes',
      '  sub-story "Inner" (schema_version 3, liquid, 1 action, 0 links)',
      '    [0]  Deep  EventTransformationAgent message_only  runs',
      '        warning  payload.a 1:1  Unknown filter "shout": the value is unchanged',
      '        hint     payload.a 1:1  this story has no action called "a"',
      '  needs credential  jira',
      '  4 actions: 2 run, 2 do not, 3 templates, 1 error, 3 warnings, 1 hint',
    ]);
  });

  it('sums up several files, and lets no control character of an option through', async () => {
    const file = await save('odd.json', liquid([message('1', { 'a\u001b[31m\nb': '{{ .a | shout }}' })]));
    const { out } = await runCli(['story', 'check', file, file], { env: env() });
    expect(out).toContain('payload.a\\u001b[31m b 1:1');
    expect(out.replace(/\n/g, '')).not.toMatch(/\p{Cc}/u);
    expect(out).toContain(
      '\n\n2 files: 2 actions: 2 run, 0 do not, 2 templates, 0 errors, 2 warnings, 2 hints\n',
    );
  });
});

test('the guid of an agent that is given twice is a reason to refuse the file', async () => {
  const { file } = await check(liquid([message('1', {}), message('2', {}, { guid: guidOf('1') })]));
  expect(file.refusals).toEqual([
    {
      message: expect.stringContaining('is also the guid of "data.agents[0]"'),
      details: 'data.agents[1].guid',
    },
  ]);
});
