import { findAgentType } from '../../../src/agents/index.js';
import { receiveBytes } from '../../../src/web/webhooks/receive-task.js';
import { emitted, tryEvent } from '../../support/try-event.js';

const EVENT =
  '{"id":9007199254740993,"next":9007199254740994,"text":"9007199254740993","dec":1432.0531571421431500,"huge":1e400,"list":[9007199254740993,9007199254740992,9007199254740993]}';

const formula = async (text: string) => JSON.stringify(await emitted(EVENT, { x: `=${text}` }));
const shown = (value: string) => JSON.stringify(`{"x":${value}}`);

describe('A1: formulas compute and compare with all digits', () => {
  test.each([
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['PLUS("9007199254740993", 1)', '9007199254740994'],
    ['PLUS(9007199254740992, 1)', '9007199254740993'],
    ['hook.id + 1', '9007199254740994'],
    ['hook.id - 1', '9007199254740992'],
    ['MINUS(0, hook.id)', '-9007199254740993'],
    ['hook.id * hook.id', '81129638414606699710187514626049'],
    ['TIMES(94906267, 94906267)', '9007199515875289'],
    ['DIVIDED_BY(hook.id, 3)', '3002399751580331'],
    ['12345678901234567890 / 10', '1234567890123456789'],
    ['hook.id % 10', '3'],
    ['MODULO(-9007199254740993, 10)', '7'],
    ['NUMBER("9007199254740993")', '9007199254740993'],
    ['NUMBER("+007615917337495251231")', '7615917337495251231'],
    ['NUMBER("1e400")', '1e400'],
    ['INTEGER("9007199254740993.9")', '9007199254740993'],
    ['IS_NUMBER(hook.huge)', 'true'],
    ['TYPE(hook.id)', '"Integer"'],
    ['TYPE(hook.dec)', '"Float"'],
    ['ABS(-9007199254740993)', '9007199254740993'],
    ['ROUND(9007199254740993.5)', '9007199254740994'],
    ['FLOOR(-9007199254740993.5)', '-9007199254740994'],
    ['CEIL(9007199254740993.5)', '9007199254740994'],
    ['ROUND(hook.dec, 12)', '1432.053157142143'],
    ['hook.dec + 0.00000000000000005', '1432.05315714214315005'],
    ['0.1 + 0.2', '0.3'],
    ['752.78 - 798.72', '-45.94'],
    ['658.17 - 566.7', '91.47'],
    ['0.7 - 0.7', '0'],
    ['12345678901234.56 + 0.01', '12345678901234.57'],
    ['POWER(2, 64)', '18446744073709551616'],
    ['SUM(hook.list)', '27021597764222978'],
    ['MAX(hook.list)', '9007199254740993'],
    ['MIN(hook.list)', '9007199254740992'],
    ['SORT(hook.list)', '[9007199254740992,9007199254740993,9007199254740993]'],
    ['UNIQ(hook.list)', '[9007199254740993,9007199254740992]'],
    ['hook.id > 9007199254740992', 'true'],
    ['hook.id = 9007199254740992', 'false'],
    ['hook.id = hook.text', 'true'],
    ['hook.huge > hook.id', 'true'],
    ['INCLUDES(hook.list, 9007199254740994)', 'false'],
    ['IS_ODD(hook.id)', 'true'],
    ['FORMAT_NUMBER(hook.id)', '"9,007,199,254,740,993"'],
    ['TO_BASE(hook.id, 16)', '"20000000000001"'],
    ['FROM_BASE("20000000000001", 16)', '9007199254740993'],
    ['hook.id & ""', '"9007199254740993"'],
    ['TO_JSON(hook.list)', '"[9007199254740993,9007199254740992,9007199254740993]"'],
    ['JSON_PARSE("[7615917337495251231]")', '[7615917337495251231]'],
    ['JSON_LINES_PARSE("{\\"a\\":7615917337495251231}")', '[{"a":7615917337495251231}]'],
  ])('%s', async (text, right) => {
    expect(await formula(text)).toBe(shown(right));
  });

  test('a number of a million digits is passed on, and not computed with', async () => {
    expect(await emitted('{"n":1e1000000}', { x: '=hook.n' })).toBe('{"x":1e1000000}');
    expect(await emitted('{"n":1e1000000}', { x: '=hook.n + 1' })).toContain('more than 1000 digits');
    expect(await emitted('{"n":1e1000000}', { x: '=hook.n > 1' })).toBe('{"x":true}');
  });
});

describe('A1: Liquid computes and compares with all digits', () => {
  test.each([
    ['{{ hook.id }}', '9007199254740993'],
    ['{{ 9007199254740993 }}', '9007199254740993'],
    ['{{ hook.id | plus: 1 }}', '9007199254740994'],
    ['{{ hook.text | minus: 1 }}', '9007199254740992'],
    ['{{ hook.id | times: 2 }}', '18014398509481986'],
    ['{{ hook.id | divided_by: 3 }}', '3002399751580331'],
    ['{{ hook.id | modulo: 10 }}', '3'],
    ['{{ hook.list | sum }}', '27021597764222978'],
    ['{{ hook.list | sort | join: " " }}', '9007199254740992 9007199254740993 9007199254740993'],
    ['{{ hook.list | uniq | size }}', '2'],
    ['{{ hook.text | to_integer }}', '9007199254740993'],
    ['{{ hook.list | json }}', '[9007199254740993,9007199254740992,9007199254740993]'],
    ['{{ "[7615917337495251231]" | json_parse | first }}', '7615917337495251231'],
    ['{% if hook.id > 9007199254740992 %}more{% endif %}', 'more'],
    ['{% if hook.id == 9007199254740992 %}same{% else %}other{% endif %}', 'other'],
    ['{% if hook.id == 9007199254740993 %}same{% endif %}', 'same'],
    ['{% if hook.id == hook.list[0] %}same{% endif %}', 'same'],
    ['{% if hook.list contains hook.next %}has{% else %}lacks{% endif %}', 'lacks'],
    ['{{ hook.huge }}', '1e400'],
  ])('%s', async (template, right) => {
    expect(await emitted(EVENT, { x: template }, 3)).toBe(`{"x":${JSON.stringify(right)}}`);
  });
});

const rule = (type: string, value: string) =>
  tryEvent(EVENT, {
    type: 'Agents::TriggerAgent',
    options: { rules: [{ type, path: '=hook.id', value }], emit_no_match: true },
  });

describe('A1: triggers compare with all digits', () => {
  test.each([
    ['field>value', '9007199254740992', true],
    ['field<value', '9007199254740994', true],
    ['field>=value', '9007199254740994', false],
    ['field==value', '9007199254740993', true],
    ['field==value', '9007199254740992', false],
    ['in', '=hook.list', true],
  ])('%s %s is %s', async (type, value, matched) => {
    expect((await rule(type, value)).events).toEqual([JSON.stringify({ rule_matched: matched })]);
  });
});

describe('A1: numbers that are equal are one, however they are written', () => {
  const TWICE =
    '{"a":9007199254740993.0,"b":9007199254740993,"e":9.007199254740993e15,"list":[{"k":9007199254740993.0},{"k":9007199254740993},{"k":90071992547409930e-1}],"small":[0.12345678901234567,0.123456789012345670],"neg":[-1e400,-10e399],"yes":"yes","no":"no"}';

  test.each([
    ['UNIQ([hook.a, hook.b, hook.e])', '[9007199254740993.0]'],
    ['UNIQ(hook.list, "k")', '[{"k":9007199254740993.0}]'],
    ['UNIQ(hook.list)', '[{"k":9007199254740993.0}]'],
    ['UNIQ(hook.small)', '[0.12345678901234567]'],
    ['UNIQ(hook.neg)', '[-1e400]'],
    ['UNION([hook.a], [hook.b])', '[9007199254740993.0]'],
    ['INTERSECTION([hook.a], [hook.b])', '[9007199254740993.0]'],
    ['DIFFERENCE([hook.a, 1], [hook.b])', '[1]'],
    ['SIZE(GROUP_BY(hook.list, "k", TRUE))', '1'],
    ['SIZE(KEYS(GROUP_BY(hook.list, "k")))', '1'],
    ['KEYS(INDEX_BY(hook.list, "k"))', '["9007199254740993"]'],
    ['TALLY([hook.a, hook.b])', '{"9007199254740993":2}'],
    ['INDEX_OF([1, hook.a], hook.b)', '1'],
    ['INCLUDES([hook.a], hook.b)', 'true'],
    ['SWITCH(hook.a, hook.b, "yes", "no")', '"yes"'],
    ['hook.a = hook.e', 'true'],
    ['hook.list = REVERSE(hook.list)', 'true'],
  ])('=%s', async (text, right) => {
    expect(await emitted(TWICE, { x: `=${text}` })).toBe(`{"x":${right}}`);
  });

  test.each([
    ['{{ hook.list | map: "k" | uniq | size }}', '1'],
    ['{{ hook.list | uniq: "k" | size }}', '1'],
    ['{{ hook.list | group_by: "k" | size }}', '1'],
    ['{{ hook.list | where: "k", hook.b | size }}', '3'],
    ['{% assign ks = hook.list | map: "k" %}{% if ks contains hook.b %}yes{% endif %}', 'yes'],
    ['{% assign k = hook.list[1] %}{% if hook.list[0] == k %}yes{% else %}no{% endif %}', 'no'],
    ['{% assign k = hook.list | slice: 1 %}{% if hook.list contains k[0] %}yes{% endif %}', 'yes'],
    ['{% case hook.a %}{% when hook.b %}yes{% else %}no{% endcase %}', 'yes'],
  ])('%s', async (template, right) => {
    expect(await emitted(TWICE, { x: template }, 3)).toBe(`{"x":"${right}"}`);
  });
});

describe('B3: ids go out as they came in', () => {
  const EXACT =
    '{"p_id":7615917337495251231,"neg":-7023275401050306076,"dec":1432.0531571421431500,"exp":1E400}';

  test('in the body and the query of a request', async () => {
    const { requests } = await tryEvent(EXACT, {
      type: 'Agents::HTTPRequestAgent',
      options: { url: 'https://x.org/?id=<<hook.p_id>>', method: 'post', payload: '=hook' },
    });
    expect(requests.map(({ url }) => url)).toEqual(['https://x.org/?id=7615917337495251231']);
    expect(JSON.stringify(requests[0]?.body)).toContain('7615917337495251231');
  });

  test.each([
    ['form', 'p_id=7615917337495251231&neg=-7023275401050306076'],
    ['xml', '<p_id>7615917337495251231</p_id>'],
  ])('as %s', async (content_type, part) => {
    const { requests } = await tryEvent(EXACT, {
      type: 'Agents::HTTPRequestAgent',
      options: { url: 'https://x.org/', method: 'post', content_type, payload: '=hook' },
    });
    expect(requests[0]?.body).toContain(part);
  });

  test('explode keeps the digits of the elements of a JSON text', async () => {
    const { events } = await tryEvent('{"text":"[7615917337495251231,1e400]"}', {
      options: { mode: 'explode', path: '<<hook.text>>', to: 'e' },
    });
    expect(events.map((text) => /"e":([^,]+)/.exec(text)?.[1])).toEqual(['7615917337495251231', '1e400']);
  });
});

describe('C2: whole numbers beyond 2^53 keep their digits in each function that reads JSON', () => {
  test.each([
    ['=JSON_PARSE(hook.t).id', '{"x":1234567890123456789}'],
    ['=JSON_LINES_PARSE(hook.t)[0].id', '{"x":1234567890123456789}'],
    ['=JSONPATH(JSON_PARSE(hook.t), "$.id")', '{"x":[1234567890123456789]}'],
    ['=GET(JSON_PARSE(hook.t), "id")', '{"x":1234567890123456789}'],
  ])('%s', async (x, right) => {
    expect(await emitted('{"t":"{\\"id\\": 1234567890123456789}"}', { x })).toBe(right);
  });
});

describe('B4: a text that is JSON is sent as it is', () => {
  const TEXT = '{"id": 12345678901234567890,  "v": 1.0, "a":1, "a":2, "u":"\\u00e9"}\n';

  test.each(['json', 'text', 'application/octet-stream', 'application/x-ndjson', 'xml', 'form', 'data'])(
    'as %s',
    (content_type) => {
      const sent = (payload: string) =>
        findAgentType('Agents::HTTPRequestAgent')
          ?.writeBody?.({ url: 'https://x.org/', method: 'post', content_type, payload }, 'seed')
          ?.body.toString();
      expect(sent(TEXT)).toBe(TEXT);
      expect(sent('[ 1.50, 2 ]')).toBe('[ 1.50, 2 ]');
    },
  );

  test('rendered, written out, and in Liquid', async () => {
    const event = JSON.stringify({ text: TEXT });
    expect(await emitted(event, '<<hook.text>>')).toBe(JSON.stringify(TEXT));
    expect(await emitted(event, '{{ .hook.text }}', 3)).toBe(JSON.stringify(TEXT));
    expect(await emitted('{}', '[ 1.50 ]')).toBe('"[ 1.50 ]"');
  });

  test('a value stays a value', async () => {
    expect(await emitted('{"o":{"a":1}}', '<<hook.o>>')).toBe('{"a":1}');
    expect(await emitted('{"o":{"a":1}}', '{{ .hook.o }}', 3)).toBe('{"a":1}');
  });
});

const received = (body: Buffer, contentType: string, includeHeaders = false) =>
  receiveBytes({ bytes: body, contentType, headers: {}, query: {}, includeHeaders, keepsRawBody: true });

describe('B17: the body of a webhook can be had as it came', () => {
  test('as text, to the letter', async () => {
    const text = '\uFEFF{\n  "id": 1.0,  "a":1, "a":2\n}\n';
    const { event } = await received(Buffer.from(text.slice(1)), 'application/json');
    expect(event).toEqual({ id: 1, a: 2, raw_body: text.slice(1) });
    expect((await received(Buffer.from(text), 'text/plain', true)).event).toMatchObject({ raw_body: text });
  });

  test('of a form, whose fields become an object', async () => {
    const { event } = await received(Buffer.from('b=x+y&a=%C3%A9'), 'application/x-www-form-urlencoded');
    expect(event).toEqual({ b: 'x y', a: 'é', raw_body: 'b=x+y&a=%C3%A9' });
  });

  test('as base64, if it is no UTF-8', async () => {
    const { event } = await received(Buffer.from([0xff, 0x00, 0xe9]), 'application/octet-stream', true);
    expect(event).toMatchObject({ raw_body: '/wDp', raw_body_encoding: 'base64' });
  });

  test('only where the option asks for it', async () => {
    const request = { bytes: Buffer.from('{}'), contentType: 'application/json', headers: {}, query: {} };
    const { event } = await receiveBytes({ ...request, includeHeaders: false, keepsRawBody: false });
    expect(event).toEqual({});
  });
});
