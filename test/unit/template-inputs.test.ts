import { entriesOf } from '../../src/trial/report/trial-report.js';
import { createFormulaLanguage } from '../../src/language/formula/formula-language.js';
import { createLiquidLanguage } from '../../src/language/liquid/liquid-language.js';
import { renderOptions } from '../../src/language/option-renderer.js';
import type { JsonObject } from '../../src/platform/json.js';
import { inputOptions } from '../../src/stories/agents/mentions/action-inputs.js';
import { checkStoryText } from '../../src/stories/check/check-task.js';
import { sorted } from '../support/run-api.js';
import { MESSAGE_INPUTS, messageStory, templateInput } from '../support/template-inputs.js';
import { requestOf, tryGolden } from '../support/try-golden.js';
import { templateScope } from '../support/template-scope.js';

const languages = { formula: createFormulaLanguage(), liquid: createLiquidLanguage() };

const scope = templateScope(
  { hook: { name: 'Ann', list: [1, 2] } },
  { credentials: new Map([['key', 'reference']]) },
);

const rendered = (options: JsonObject, inputs: JsonObject, language = languages.formula) =>
  renderOptions(options, { language, scope, inputs });

async function sent(story: JsonObject) {
  const file = {
    start: { agent: 'Hook', payload: { user: 'Ann', what: 'log in' } },
    values: { credentials: { chat_bot: 'xoxb' } },
    answers: [{ url: 'https://chat.test/*', answer: { ok: true } }],
  } as unknown as Parameters<typeof tryGolden>[1];
  const report = await tryGolden(requestOf(JSON.stringify(story)), file);
  expect(entriesOf(report, 'dead_letter')).toEqual([]);
  return entriesOf(report, 'request')[0];
}

describe('an action that was made from a template', () => {
  it('L1: sends the values of its inputs, with pills, formulas and credentials in them', async () => {
    const request = await sent(messageStory());
    expect(request).toMatchObject({
      method: 'POST',
      url: 'https://chat.test/api/post',
      body: {
        channel: 'C094Y3UPAMA',
        text: 'Ann did LOG IN',
        link_names: true,
        metadata: { kind: 'Ann did LOG IN' },
      },
    });
    expect(request?.headers).toMatchObject({ authorization: 'Bearer xoxb' });
  });

  it('L1: sees its inputs in each round of a loop, with the element of the round', async () => {
    const inputs = [templateInput('Who', 'TEXT', '"<<LOOP.value>>"')];
    const story = messageStory({}, { loop: '=["a", "b"]', payload: { to: '<<INPUT.who>>' }, headers: {} });
    const [entry] = story.integrations;
    const report = await tryGolden(
      requestOf(JSON.stringify({ ...story, integrations: [{ ...entry, action_inputs: inputs }] })),
      {
        start: { agent: 'Hook', payload: {} },
        values: {},
        answers: [{ url: 'https://chat.test/*', answer: {} }],
      } as unknown as Parameters<typeof tryGolden>[1],
    );
    expect(entriesOf(report, 'request').map(({ body }) => body)).toEqual([{ to: 'a' }, { to: 'b' }]);
  });
});

describe('the value of a template input', () => {
  it('L1: is the JSON of an option, by the slug of its name', () => {
    const inputs = [
      templateInput('Channel / User ID', 'TEXT', '"C1"'),
      templateInput('Is test resource?', 'BOOLEAN', 'false'),
      templateInput('Per page', 'NUMBER', '500'),
      templateInput('Read access', 'OPTION', '["TEAM"]'),
      templateInput('No JSON', 'TEXT', 'plain'),
      { name: 'Nothing', type: 'TEXT' },
      templateInput('per-page', 'NUMBER', '1'),
    ];
    expect(inputOptions(inputs)).toEqual({
      channel_user_id: 'C1',
      is_test_resource: false,
      per_page: 500,
      read_access: ['TEAM'],
      no_json: 'plain',
      nothing: '',
    });
    expect(inputOptions([{ name: '?' }, 'no object'])).toBeUndefined();
  });

  it('L1: is rendered when a template names it, and only then', () => {
    const inputs = { used: '=hook.list', broken: '=1 / 0', twice: '<<INPUT.used>>!' };
    expect(rendered({ a: '=INPUT.used', b: '<<INPUT.twice>>', c: '=INPUT.missing' }, inputs)).toEqual({
      a: [1, 2],
      b: '[1,2]!',
      c: null,
    });
    expect(() => rendered({ a: { b: '<<INPUT.broken>>' } }, inputs)).toThrow(/^a\.b: INPUT\.broken: /);
  });

  it('L1: is null where its JSON is null', () => {
    const inputs = inputOptions([templateInput('Limit', 'NUMBER', 'null')]) ?? {};
    expect(rendered({ a: '=INPUT.limit', b: '=INPUT.limit = NULL' }, inputs)).toEqual({ a: null, b: true });
  });

  it('L1: cannot refer to itself', () => {
    const inputs = { a: '<<INPUT.b>>', b: '=INPUT.a' };
    expect(() => rendered({ x: '=INPUT.a' }, inputs)).toThrow('INPUT.a refers to itself');
  });

  it('L1: is text in Liquid, where it may use Liquid', () => {
    const inputs = { who: '{{ .hook.name | upcase }}', list: ['{{ .hook.name }}', 2] };
    expect(rendered({ a: '{{ INPUT.who }}', b: '{{ INPUT.list[1] }}' }, inputs, languages.liquid)).toEqual({
      a: 'ANN',
      b: '2',
    });
  });

  it('L1: is left alone by a formula that changes a copy of all inputs', () => {
    expect(rendered({ a: '=MERGE(INPUT, {"b": 2})', b: '=KEYS(INPUT)' }, { a: '=1' })).toEqual({
      a: { a: 1, b: 2 },
      b: ['a'],
    });
  });
});

function checked(story: JsonObject) {
  const report = checkStoryText(JSON.stringify(story));
  return { needs: report.needs, findings: report.story?.actions[1]?.findings };
}

describe('the check of a story', () => {
  it('L1: counts what template inputs need, and names what is wrong in them', () => {
    const story = messageStory();
    expect(checked(story)).toEqual({
      needs: { credentials: ['chat_bot'], resources: [], stories: [] },
      findings: [],
    });
    const [entry] = story.integrations;
    const inputs = [
      templateInput('Channel / User ID', 'TEXT', '"=RESOURCE.rooms.main"'),
      templateInput('Message', 'TEXT', '"<<gone.body>>"'),
      templateInput('Metadata', 'OBJECT', '{"kind":"=UPCASE("}'),
    ];
    const { needs, findings } = checked({
      ...story,
      integrations: [{ ...entry, action_inputs: inputs }],
    });
    expect(needs).toEqual({ credentials: [], resources: ['rooms'], stories: [] });
    expect(findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ level: 'hint', kind: 'reference', option: 'INPUT.message' }),
        expect.objectContaining({ level: 'error', kind: 'template', option: 'INPUT.metadata.kind' }),
        expect.objectContaining({
          level: 'warning',
          kind: 'input',
          option: 'headers.Authorization',
          message:
            'the action has no template input called "chat_credential": INPUT.chat_credential is empty',
          line: 1,
          column: 10,
        }),
      ]),
    );
  });

  it('L1: names each input of an action that has none', () => {
    const { findings = [] } = checked(messageStory({ integrations: [] }));
    const names = findings
      .filter(({ kind }) => kind === 'input')
      .map(({ message }) => message.split('"')[1] ?? '');
    expect(sorted(names)).toEqual([
      'channel_user_id',
      'chat_credential',
      'icon_emoji',
      'link_names',
      'message',
      'metadata',
      'thread_timestamp',
    ]);
    expect(MESSAGE_INPUTS).toHaveLength(names.length);
  });
});
