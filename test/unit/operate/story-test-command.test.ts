import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { JsonObject, JsonValue } from '../../../src/platform/json.js';
import { runCommand } from '../../support/product/run-command.js';
import { storyOf } from '../../support/stories.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'story-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const isHigh = { rules: [{ type: 'regex', path: '=hook.body.level', value: 'high' }] };

function storyWith(tests: JsonValue[] | undefined, more: JsonObject = {}): JsonObject {
  return storyOf(
    {
      Hook: ['Webhook', {}],
      High: ['Trigger', isHigh],
      Page: ['EventTransformation', { mode: 'message_only', payload: { to: '=hook.body.who' } }],
      Note: ['EventTransformation', { mode: 'message_only', payload: { noted: true } }],
    },
    ['Hook > High > Page', 'High ! Note'],
    { name: 'Alerts', ...(tests !== undefined && { fabula_tests: tests }), ...more },
  );
}

const pages = {
  name: 'High pages',
  body: { level: 'high', who: 'Ada' },
  expect: { events: { Page: [{ to: 'Ada' }] } },
};
const notes = { name: 'Low notes', body: { level: 'low' }, expect: { events: { Page: [], Note: [{}] } } };
const wrong = { ...pages, name: 'Wrong <one> & "two"\u0000', expect: { events: { Page: [{ to: 'Bob' }] } } };

async function save(name: string, content: unknown): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const caller = (story: JsonValue, more: JsonObject = {}) =>
  storyOf({ Hook: ['Webhook', {}], Call: ['SendToStory', { story, payload: { n: 1 } }] }, ['Hook > Call'], {
    name: 'Caller',
    fabula_tests: [{ name: 'Calls', body: {}, expect: { events: { Call: [{ n: 1 }] } } }],
    ...more,
  });
const callee = storyOf(
  {
    In: ['Webhook', {}],
    Out: ['EventTransformation', { mode: 'message_only', payload: { n: '=in.body.n' } }],
  },
  ['In > Out'],
  { name: 'Look up', entry_agent_guid: null, exit_agent_guids: [] },
);
const entry = (story: JsonObject): JsonObject => {
  const [first, last] = story.agents as { guid: string }[];
  return { ...story, entry_agent_guid: first!.guid, exit_agent_guids: [last!.guid] };
};

const test_ = (args: string[], env: NodeJS.ProcessEnv = {}) =>
  runCommand({ args: ['story', 'test', ...args], env: { DATA_DIR: path.join(folder, 'none'), ...env } });

describe('stories as software: fabula story test', () => {
  it('names each test, its differences and what no test reaches', async () => {
    const file = await save('alerts.json', storyWith([pages, wrong]));
    const { code, out, err } = await test_([file]);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toBe(
      [
        `${file}: "Alerts"`,
        '  ✓ High pages',
        '  ✗ Wrong <one> & "two"\\u0000',
        '      Page, event 1, to: expected "Bob", found "Ada"',
        '  covers 6 of 9 parts (66 %)',
        '      no test reaches "Note"',
        '      no test sees rule 1 of "High" fail',
        '',
        '2 tests, 1 failed',
        '',
      ].join('\n'),
    );
  });

  it('passes several files, an import body among them, and prints JSON', async () => {
    const exported = await save('a.json', storyWith([pages, notes]));
    const body = await save('b.json', { new_name: 'Imported', data: storyWith([notes]) });
    const { code, out } = await test_([exported, body, '--json']);
    expect(code).toBe(0);
    const json = JSON.parse(out) as {
      files: { file: string; stories: { story: string; coverage: JsonObject }[] }[];
    };
    expect(json).toMatchObject({ ok: true, tests: 3, failed: 0 });
    expect(json.files.map(({ stories }) => stories[0]!.story)).toEqual(['Alerts', 'Imported']);
    expect(json.files[0]!.stories[0]!.coverage).toMatchObject({ covered: 9, all: 9 });
  });

  it('says that a file has no tests, which fails only where coverage is wanted', async () => {
    const file = await save('bare.json', storyWith(undefined));
    const { code, out } = await test_([file]);
    expect([code, out]).toEqual([0, `${file}: "Alerts"\n  no tests\n\n0 tests\n`]);
    const wanted = await test_([file, '--min-coverage', '1']);
    expect(wanted.code).toBe(1);
    expect(wanted.out).toContain('covers 0 of 9 parts (0 %), less than 1 %');
  });

  it('fails below the wanted coverage, and not at it', async () => {
    const file = await save('a.json', storyWith([pages]));
    expect((await test_([file, '--min-coverage', '66.6'])).code).toBe(0);
    expect((await test_([file, '--min-coverage', '66.7'])).code).toBe(1);
    const { code, err } = await test_([file, '--min-coverage', '101']);
    expect([code, err]).toEqual([1, 'error: "101" is no percentage from 0 to 100\n']);
  });

  it('runs the named tests alone, and refuses a name that no test has', async () => {
    const file = await save('a.json', storyWith([pages, wrong]));
    expect(await test_([file, '--test', 'High pages'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 test, all passed'),
    });
    expect(await test_([file, '--test', 'Nobody'])).toMatchObject({
      code: 1,
      err: 'error: no test is named "Nobody"\n',
    });
  });

  it('runs the tests of an embedded story too', async () => {
    const file = await save(
      'a.json',
      storyWith([pages], { send_to_stories: [storyWith([wrong], { name: 'Inner' })] }),
    );
    const { code, out } = await test_([file]);
    expect(code).toBe(1);
    expect(out).toContain(`${file}: "Inner"`);
  });

  describe('of stories that call others', () => {
    it('finds them among the given files by name', async () => {
      const one = await save('caller.json', caller('=STORY.look_up'));
      const two = await save('callee.json', entry(callee));
      const { code, out } = await test_([one, two]);
      expect([code, out]).toEqual([0, expect.stringContaining('✓ Calls')]);
      const alone = await test_([one]);
      expect(alone.code).toBe(1);
      expect(alone.out).toContain('The story calls "look_up", which none of the given files holds');
    });

    it('says what to do about a number', async () => {
      const { code, out } = await test_([await save('caller.json', caller(1234))]);
      expect(code).toBe(1);
      expect(out).toContain('by its number 1234, which only its server knows: call it by name');
    });
  });

  it('stops a test that runs too long, and goes on with the next', async () => {
    const looping = { ...pages, name: 'Loops' };
    const story = storyOf(
      {
        Hook: ['Webhook', {}],
        One: ['EventTransformation', { mode: 'message_only', payload: { a: 1 } }],
        Two: ['EventTransformation', { mode: 'message_only', payload: { a: 1 } }],
        Once: ['EventTransformation', { mode: 'message_only', payload: { a: 1 } }],
      },
      ['Hook > One > Two > One'],
      {
        name: 'Round',
        fabula_tests: [
          { ...looping, expect: { events: {} } },
          { name: 'Ends', action: 'Once', event: {}, expect: { events: { Once: [{ a: 1 }] } } },
        ],
      },
    );
    const file = await save('round.json', story);
    const { code, out } = await test_([file, '--timeout', '0.2'], { RUN_EVENT_LIMIT: '1000000' });
    expect(code).toBe(1);
    expect(out).toContain('✗ Loops\n      The run was stopped: it took longer than 200 ms');
    expect(out).toContain('✓ Ends');
    const wrongTime = await test_([file, '--timeout', 'soon']);
    expect(wrongTime.err).toBe('error: "soon" is no number of seconds up to 3600\n');
  });

  it('writes JUnit XML that any reader takes', async () => {
    const file = await save('a.json', storyWith([pages, wrong]));
    const refused = await save('refused.json', storyWith([{ name: 'x' }]));
    const junit = path.join(folder, 'out.xml');
    expect((await test_([file, refused, '--junit', junit, '--min-coverage', '90'])).code).toBe(1);
    const xml = await readFile(junit, 'utf8');
    expect(xml.replaceAll(/time="[\d.]+"/g, 'time=""').replaceAll(`${folder}/`, '')).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<testsuites name="fabula story test" tests="4" failures="2" errors="1" skipped="0" time="">',
        '  <testsuite name="Alerts" file="a.json" tests="3" failures="2" errors="0" skipped="0" time="">',
        '    <properties>',
        '      <property name="coverage" value="66"/>',
        '    </properties>',
        '    <testcase name="High pages" classname="Alerts" file="a.json" time=""/>',
        '    <testcase name="Wrong &lt;one&gt; &amp; &quot;two&quot;" classname="Alerts" file="a.json" time="">',
        '      <failure message="Page, event 1, to: expected &quot;Bob&quot;, found &quot;Ada&quot;" type="failure">Page, event 1, to: expected &quot;Bob&quot;, found &quot;Ada&quot;</failure>',
        '    </testcase>',
        '    <testcase name="Coverage" classname="Alerts" file="a.json" time="">',
        '      <failure message="covers 6 of 9 parts (66 %), less than 90 %" type="failure">covers 6 of 9 parts (66 %), less than 90 %</failure>',
        '    </testcase>',
        '  </testsuite>',
        '  <testsuite name="refused.json" file="refused.json" tests="1" failures="0" errors="1" skipped="0" time="">',
        '    <testcase name="Import" classname="refused.json" file="refused.json" time="">',
        '      <error message="&quot;data.fabula_tests[0].expect&quot; is required" type="error">&quot;data.fabula_tests[0].expect&quot; is required</error>',
        '    </testcase>',
        '  </testsuite>',
        '</testsuites>',
        '',
      ].join('\n'),
    );
  });

  it('leaves out what is no story in a folder, and says so', async () => {
    await save('a.json', storyWith([pages]));
    await save('answers.json', [{ url: 'https://example.com' }]);
    await save('event.json', {});
    const { code, out, err } = await test_([folder]);
    expect([code, out]).toEqual([0, expect.stringContaining('✓ High pages')]);
    expect(err).toBe(`${folder}: left out 2 files that hold no story, such as ${folder}/answers.json\n`);
    expect((await test_([path.join(folder, 'answers.json')])).code).toBe(1);
  });

  it('names the line of a file that is no YAML', async () => {
    await save('a.yaml', 'name: a\nname: b\n');
    const { code, out } = await test_([folder]);
    expect(code).toBe(1);
    expect(out).toContain('refused  line 2: the key "name" is there twice');
  });

  it('ends with an error for a file that cannot be read', async () => {
    const { code, out, err } = await test_([path.join(folder, 'none.json')]);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^error: ENOENT/);
  });
});
