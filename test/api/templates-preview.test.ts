import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { type Account, buildAccount } from '../support/builders.js';
import { HOSTILE } from '../support/hostile-previews.js';
import { places, type Parsed } from '../support/manage-api.js';
import { agentIds, call, runsOf, says } from '../support/run-api.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores);
const PATH = 'POST /api/v1/templates/preview';
const HOOK: ShortAgent = ['Webhook', { include_headers: false }];
const event = { receive: { body: { name: 'Ada', items: [1, 2], large: 3 } } };

const ask = (body: JsonObject, as?: Account) => call(fabula, PATH, { body, ...(as && { as }) });

async function previewed(body: JsonObject, as?: Account): Promise<Parsed> {
  const answer = await ask(body, as);
  expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  return answer.body;
}

const many = (templates: Record<string, string>, rest: JsonObject = {}): JsonObject => ({
  templates: Object.entries(templates).map(([key, template]) => ({ key, template })),
  ...rest,
});

/** The values, by key; the message of what is wrong instead of a value. */
async function valuesOf(body: JsonObject): Promise<Record<string, string>> {
  const { values } = await previewed(body);
  return Object.fromEntries(
    (values as Parsed[]).map(({ key, value, error }) => [key, error?.message ?? value]),
  );
}

async function ran(data: JsonObject, payload: JsonObject = { host: 'web-1' }) {
  const story = await fabula.importStory(data);
  await fabula.fire(story.webhooks['Hook']!, payload);
  await fabula.settled();
  const [run] = await runsOf(fabula, story.id);
  return { id: story.id, guid: run!.guid, agents: await agentIds(fabula, story.id) };
}

describe('many templates', () => {
  it.each(['formula', 'liquid'])('of %s have value, type and size, in their order', async (language) => {
    const pill = (path: string) => (language === 'formula' ? `<<${path}>>` : `{{ .${path} }}`);
    const {
      sample,
      values,
      event: tree,
    } = await previewed(
      many(
        {
          text: `Hi ${pill('receive.body.name')}`,
          list: pill('receive.body.items'),
          number: pill('receive.body.large'),
          missing: pill('receive.body.nmae'),
          plain: 'no template',
        },
        { language, event },
      ),
    );
    const shown = { truncated: false, error: null, missing: [] };
    expect(values).toEqual([
      { key: 'text', value: 'Hi Ada', type: 'text', size: 6, ...shown },
      { key: 'list', value: '[\n  1,\n  2\n]', type: 'list', size: 2, ...shown },
      { key: 'number', value: '3', type: 'number', size: null, ...shown },
      {
        key: 'missing',
        value: 'null',
        type: 'null',
        size: null,
        ...shown,
        missing: [
          { path: 'receive.body.nmae', line: 1, column: language === 'formula' ? 3 : 1, guarded: false },
        ],
      },
      { key: 'plain', value: 'no template', type: 'text', size: 11, ...shown },
    ]);
    expect([sample.kind, tree]).toEqual(['given', null]);
  });

  it('have their faults at their position, and lack nothing without a sample', async () => {
    const { sample, values } = await previewed(
      many({ bad: 'a\n<<UPCASE(>>', good: '=1 + 1', empty: '=receive.body' }),
    );
    expect(sample).toBeNull();
    expect(values[0]).toMatchObject({
      value: null,
      type: null,
      error: { message: expect.any(String), line: 2, column: 10, excerpt: '<<UPCASE(>>' },
    });
    expect([values[1].value, values[2].value, values[2].missing]).toEqual(['2', 'null', []]);
  });

  it('are cut, and the whole is what a render returns', async () => {
    const { values } = await previewed(
      many({ long: '=REPEAT(receive.body.name, 2000)', list: '=RANGE(1, 500)' }, { event }),
    );
    expect(values[0]).toMatchObject({ type: 'text', size: 6_000, truncated: true });
    expect(values[0].value).toHaveLength(2_000);
    expect(values[1].value.split('\n')).toHaveLength(50);
  });

  it('are rendered as the action would, if their option is named', async () => {
    const template = '<<receive.body.large>>';
    const { values } = await previewed({
      type: 'Agents::EventTransformationAgent',
      event,
      templates: [
        { key: 'alone', template },
        { key: 'path', template, option: ['path'] },
        { key: 'to', template, option: ['to'] },
        { key: 'in a list', template: '"<<receive.body.name>>"', option: ['payload', 'rows', 0, 'text'] },
      ],
    });
    expect((values as Parsed[]).map(({ type, value }) => [type, value])).toEqual([
      ['number', '3'],
      ['number', '3'],
      ['text', '3'],
      ['text', 'Ada'],
    ]);
  });

  it('know LOCAL, INPUT, and what those before them set', async () => {
    const formulas = many(
      { a: '=LOCAL.greeting & INPUT.mark', b: '=LOCAL.nothing', c: '=1' },
      {
        local: { greeting: 'Hi <<receive.body.name>>' },
        action_inputs: [{ name: 'Mark', type: 'TEXT', value: '"!"' }],
        event,
      },
    );
    expect(await valuesOf(formulas)).toEqual({ a: 'Hi Ada!', b: 'null', c: '1' });
    const failing = many({ a: '=LOCAL.x', b: '=1' }, { local: { x: '=1 / 0' } });
    expect(await valuesOf(failing)).toEqual({ a: expect.stringMatching(/^local\.x: /) as string, b: '1' });
    const liquid = many(
      {
        first: '{% assign x = "one" %}{% assign unused = 1 %}',
        second: '{% capture y %}{{ x }} two{% endcapture %}',
        third: '{{ y }} three',
        other: '{{ later }}',
        last: '{% assign later = 1 %}',
      },
      { language: 'liquid', event },
    );
    const { values } = await previewed(liquid);
    expect((values as Parsed[]).map(({ value }) => value)).toEqual(['', '', 'one two three', 'null', '']);
    expect((values as Parsed[]).flatMap(({ missing }) => missing)).toEqual([]);
  });

  it('never show a secret', async () => {
    await fabula.inner.setCredential(fabula.account.team.id, 'My key', 'hunter2');
    const { values } = await previewed(many({ a: 'Bearer <<CREDENTIAL.my_key>>', b: '=CREDENTIAL.my_key' }));
    expect(JSON.stringify(values)).toContain('[credential My key]');
    expect(JSON.stringify(values)).not.toContain('hunter2');
  });

  it('are at most a hundred, of 256 Ki characters in all, with one sample', async () => {
    const hundred = Array.from({ length: 100 }, (_, index) => ({ key: `${index}`, template: `=${index}` }));
    const { values } = await previewed({ templates: hundred });
    expect((values as Parsed[]).map(({ value }) => value)).toEqual(hundred.map(({ key }) => key));
    const more = await ask({ templates: [...hundred, hundred[0]!] });
    expect([more.status, places(more)]).toEqual([422, ['templates']]);
    const half = 'x'.repeat(128 * 1024);
    expect((await ask(many({ a: half, b: half }))).status).toBe(200);
    expect(places(await ask(many({ a: half, b: half, c: 'x' })))).toEqual(['templates']);
    const run_guid = '0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57';
    expect((await ask(many({}, { run_guid }))).status).toBe(422);
    expect((await ask(many({}, { event, run_guid }))).status).toBe(422);
  });

  it.each(['liquid', 'formula'])(
    'do not take the time of others: %s',
    async (language) => {
      const hostile = HOSTILE.filter(([, written]) => written === language);
      const count = 20;
      const templates = Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          [`hostile ${index}`, hostile[index % hostile.length]![2]],
          [`good ${index}`, language === 'formula' ? `=${index} + 1` : `{{ ${index} | plus: 1 }}`],
        ]).flat(),
      );
      const asked = valuesOf(many(templates, { language, event }));
      // Others are served meanwhile, by the same process.
      expect((await call(fabula, 'GET /api/v1/users/me')).status).toBe(200);
      const values = await asked;
      for (let index = 0; index < count; index += 1) {
        expect(values[`good ${index}`]).toBe(`${index + 1}`);
        expect(values[`hostile ${index}`]).toMatch(
          /out of time|takes? (?:longer|more|too)|took too|limit|memory|larger|longer|nested|deep/i,
        );
      }
    },
    120_000,
  );

  it('leave no entry in the audit log', async () => {
    await previewed(many({ a: '=1' }));
    await call(fabula, 'POST /api/v1/templates/render', { body: { template: '=1' } });
    const { body } = await call(fabula, 'GET /api/v1/audit_logs');
    const actions = (body.audit_logs as Parsed[]).map(({ action }) => action);
    expect(actions).toContain('template.render');
    expect(actions.filter((action: string) => action.includes('preview'))).toEqual([]);
  });
});

const flow = () =>
  storyOf(
    {
      Hook: HOOK,
      Grade: says({ grade: '=UPCASE(hook.host)' }),
      Fail: says({ bad: '=1 / 0' }),
      After: says({ x: '=fail.bad' }),
    },
    ['Hook > Grade > Fail > After'],
  );

describe('the sample', () => {
  const templates = { host: '=hook.host', grade: '=grade.grade', fail: '=fail.bad' };

  it('is what the action received in a run, or what reached the nearest before it', async () => {
    const { guid, agents } = await ran(flow());
    const of = async (name: string, rest: JsonObject = {}) => {
      const { sample, values } = await previewed(
        many(templates, { run_guid: guid, action: agents[name]!, ...rest }),
      );
      const missing = (values as Parsed[]).flatMap((value) => value.missing.map(({ path }: Parsed) => path));
      return [sample.kind, (values as Parsed[]).map(({ value }) => value), missing];
    };
    const lacksBoth = ['grade', 'fail'];
    expect(await of('Hook')).toEqual(['own', ['web-1', 'null', 'null'], lacksBoth]);
    expect(await of('Grade')).toEqual(['received', ['web-1', 'null', 'null'], lacksBoth]);
    // It failed: the event waits as a dead letter.
    expect(await of('Fail')).toEqual(['received', ['web-1', 'WEB-1', 'null'], ['fail']]);
    expect(await of('After')).toEqual(['upstream', ['web-1', 'WEB-1', 'null'], ['fail']]);
  });

  it('is told with its event, which other requests take', async () => {
    const { id, guid, agents } = await ran(flow());
    const { sample } = await previewed(many({}, { run_guid: guid, action: agents['Fail']! }));
    expect(sample).toEqual({
      kind: 'received',
      event_id: expect.any(Number),
      run_guid: guid,
      created_at: expect.stringMatching(/Z$/),
      incomplete: false,
    });
    const byEvent = await previewed(many({ a: '=grade.grade' }, { event_id: sample.event_id }));
    expect([byEvent.sample, byEvent.values[0].value]).toEqual([{ ...sample, kind: 'event' }, 'WEB-1']);
    const { body } = await call(fabula, 'POST /api/v1/templates/render', {
      body: { template: '=grade.grade', story_id: id, run_guid: guid, action: agents['Fail']! },
    });
    expect(body).toEqual({ value: 'WEB-1', error: null });
  });

  it('of a draft is what the live action received', async () => {
    const { id, guid } = await ran(flow());
    const { body: draft } = await call(fabula, `POST /api/v1/stories/${id}/drafts`, {
      body: { name: 'Try' },
    });
    const drafted = await agentIds(fabula, draft.id);
    const { body: added } = await call(fabula, 'POST /api/v1/actions', {
      body: {
        story_id: draft.id,
        type: 'Agents::EventTransformationAgent',
        name: 'New',
        options: { mode: 'message_only', payload: {} },
        source_ids: [drafted['Grade']!],
      },
    });
    for (const [action, kind] of [
      [drafted['Fail']!, 'received'],
      [added.id, 'upstream'],
      [added.guid, 'upstream'],
    ]) {
      const { sample, values } = await previewed(
        many({ a: '=grade.grade' }, { story_id: draft.id, run_guid: guid, action }),
      );
      expect([sample.kind, values[0].value]).toEqual([kind, 'WEB-1']);
    }
  });

  it('is the input of a run that began at the action', async () => {
    const { id, agents } = await ran(flow());
    await call(fabula, `POST /api/v1/actions/${agents['Grade']}/run`, {
      body: { event: { hook: { host: 'a' } } },
    });
    await fabula.settled();
    const [run] = await runsOf(fabula, id);
    const { sample, values } = await previewed(
      many({ a: '=hook.host' }, { run_guid: run!.guid, action: agents['Grade']! }),
    );
    expect([sample.kind, sample.event_id, values[0].value]).toEqual(['received', null, 'a']);
  });

  it('is gone with the events of the run', async () => {
    const { guid, agents } = await ran(flow());
    await stores.db.read((session) => session.run('DELETE FROM events WHERE story_run_guid = ?', [guid]));
    const { sample, values } = await previewed(many(templates, { run_guid: guid, action: agents['Grade']! }));
    expect([sample, (values as Parsed[]).flatMap(({ missing }) => missing)]).toEqual([null, []]);
  });

  it('is returned for completion, at most 1 Mi characters of it', async () => {
    const rows = Array.from({ length: 3_000 }, (_, id) => ({ id, text: 'x'.repeat(1_000) }));
    const large: JsonValue = { receive: { rows, text: 'y'.repeat(2_000_000), short: 'z' } };
    const small = await previewed(many({}, { event, include_event: true }));
    expect(small.event).toEqual({ value: event, cut_texts: [], left_out: [] });
    const { event: tree } = await previewed(many({}, { event: large, include_event: true }));
    expect(JSON.stringify(tree.value).length).toBeLessThanOrEqual(1024 * 1024);
    expect([tree.value.receive.short, tree.value.receive.rows[0].id]).toEqual(['z', 0]);
    expect(tree.cut_texts).toContain('receive.text');
    expect(tree.left_out).toEqual([{ path: 'receive.rows', count: 3_000 - tree.value.receive.rows.length }]);
  });

  it('of another tenant is refused, and so is who may only read', async () => {
    const { id, guid, agents } = await ran(flow());
    const [first] = await fabula.events(guid);
    const stranger = await buildAccount(stores.db, { owner: true });
    const requests: JsonObject[] = [
      { event_id: first!.id },
      { run_guid: guid, action: agents['Grade']! },
      { story_id: id },
      { team_id: fabula.account.team.id },
    ];
    const { tenantId, team } = fabula.account;
    const viewer = await buildAccount(stores.db, { tenantId, team, role: 'VIEWER' });
    for (const request of requests) {
      expect((await ask(many({ a: '=hook' }, request), stranger)).status).toBe(404);
      expect((await ask(many({ a: '=hook' }, request), viewer)).status).toBe(403);
    }
    const own = await ran(flow());
    expect((await ask(many({}, { story_id: own.id, run_guid: guid, action: 999_999_999 }))).status).toBe(404);
  });
});
