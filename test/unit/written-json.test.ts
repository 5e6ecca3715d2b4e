import { createFormulaLanguage } from '../../src/language/formula/formula-language.js';
import { createLiquidLanguage } from '../../src/language/liquid/liquid-language.js';
import { renderOptions } from '../../src/language/option-renderer.js';
import type { JsonValue } from '../../src/platform/json.js';
import { templateScope } from '../support/template-scope.js';

const LANGUAGES = { formula: createFormulaLanguage(), liquid: createLiquidLanguage() };
const scope = templateScope({
  a: { ts: '1503435956.000247', empty: '', quoted: 'say "hi"', lines: 'x\ny', list: [1, 2] },
  b: { path: 'C:\\new\\table', unicode: '\\u0041', escaped: 'say \\"hi\\"', words: ['one', 'two'] },
  m: { text: '[{"type":"mrkdwn"}]', object: '{"a":1.50}', number: '5', broken: '[1,' },
});

const rendered = (text: JsonValue, language: keyof typeof LANGUAGES, option = 'payload') => {
  const { [option]: shown } = renderOptions(
    { [option]: { x: text } },
    { language: LANGUAGES[language], scope },
  );
  return (shown as { x: JsonValue }).x;
};

describe('a part of payload or local whose template stands in double quotes', () => {
  it.each([
    ['"<<a.ts>>"', 'formula', '1503435956.000247'],
    ['"{{ .a.ts }}"', 'liquid', '1503435956.000247'],
    [' "<<a.empty>>" ', 'formula', ''],
    ['"<<missing>>"', 'formula', ''],
    ['"#<<a.ts>>"', 'formula', '#1503435956.000247'],
    ['"<<a.quoted>>"', 'formula', '"say "hi""'],
    ['"<<a.lines>>"', 'formula', '"x\ny"'],
    ['"<<a.ts>>" and "<<a.ts>>"', 'formula', '"1503435956.000247" and "1503435956.000247"'],
    ['"plain"', 'formula', '"plain"'],
    ['say "<<a.ts>>"', 'formula', 'say "1503435956.000247"'],
  ] as const)('L2: %j (%s) is %j', (text, language, value) => {
    expect(rendered(text, language)).toBe(value);
    expect(rendered(text, language, 'local')).toBe(value);
  });

  it.each([
    ['"<<b.path>>"', 'formula', 'C:\\new\\table'],
    ['"{{ .b.path }}"', 'liquid', 'C:\\new\\table'],
    ['"<<b.unicode>>"', 'formula', '\\u0041'],
    ['"<<REGEX_REPLACE(b.path, "\\d", "")>>"', 'formula', 'C:\\new\\table'],
    ['"in <<b.path>>"', 'formula', 'in C:\\new\\table'],
    ['"<<b.escaped>>"', 'formula', '"say \\"hi\\""'],
    ['"a\\n<<a.ts>>"', 'formula', 'a\n1503435956.000247'],
  ] as const)('keeps the backslashes of values: %j (%s) is %j', (text, language, value) => {
    expect(rendered(text, language)).toBe(value);
  });

  it('L2: keeps its quotes in other options, and as the whole payload', () => {
    expect(rendered('"<<a.ts>>"', 'formula', 'headers')).toBe('"1503435956.000247"');
    const { payload } = renderOptions({ payload: '"<<a.ts>>"' }, { language: LANGUAGES.formula, scope });
    expect(payload).toBe('"1503435956.000247"');
  });

  it('L2: keeps the quotes that a formula puts there', () => {
    expect(rendered(`='"' & a.ts & '"'`, 'formula')).toBe('"1503435956.000247"');
    expect(rendered(`{{ '"' }}{{ .a.ts }}{{ '"' }}`, 'liquid')).toBe('"1503435956.000247"');
  });
});

describe('a list that a for block of formulas writes', () => {
  it.each<[string, JsonValue]>([
    ['[<%for n in a.list%>{"n":<<n>>}<%if FORLOOP.last != TRUE%>,<%endif%><%endfor%>]', [{ n: 1 }, { n: 2 }]],
    ['[<% for n in missing %>{"n":<<n>>}<% endfor %>]', []],
    ['[<% for n in b.words %>"<<n>>"<%if FORLOOP.last != TRUE%>,<%endif%><% endfor %>]', ['one', 'two']],
    ['[<%for n in b.words%><<n>><%endfor%>]', '[onetwo]'],
    ['[<%for n in a.list%><<n>><%endfor%>]', '[12]'],
    ['[<%for n in a["list"]%><<n>><%endfor%>]', '[12]'],
    ['[<% for n in a.list %><<n>> <% endfor %>]', '[1 2 ]'],
    ['x [<% for n in a.list %><<n>><% endfor %>]', 'x [12]'],
    ['[<<a.ts>>]', '[1503435956.000247]'],
    ['{"a": "<<a.ts>>"}', '{"a": "1503435956.000247"}'],
  ])('L2: %s is %j', (text, value) => {
    expect(rendered(text, 'formula')).toEqual(value);
  });

  it('L2: stays text in other options and in Liquid', () => {
    const text = '[<%for n in a.list%><<n>><%endfor%>]';
    expect(rendered(text, 'formula', 'headers')).toBe('[12]');
    expect(rendered('[{% for n in a.list %}{{ n }}{% endfor %}]', 'liquid')).toBe('[12]');
  });
});

describe('as_object', () => {
  it.each<[string, JsonValue]>([
    ['{{ .m.text | as_object }}', [{ type: 'mrkdwn' }]],
    ['{% capture t %}[1, 2]{% endcapture %}{{ t | as_object }}', [1, 2]],
    ['{{ .m.number | as_object }}', '5'],
    ['{{ .m.broken | as_object }}', '[1,'],
    ['{{ .a.list | as_object }}', [1, 2]],
    ['{{ .a.list | json | as_object }}', '[1,2]'],
    ['{{ .m.text | downcase | as_object }}', '[{"type":"mrkdwn"}]'],
  ])('L2: %s gives %j', (text, value) => {
    expect(rendered(text, 'liquid')).toEqual(value);
  });

  it('L2: keeps the digits of numbers in the text', () => {
    expect(JSON.stringify(rendered('{{ .m.object | as_object }}', 'liquid'))).toBe('{"a":1.5}');
  });
});
