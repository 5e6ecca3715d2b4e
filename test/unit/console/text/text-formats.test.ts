import * as fc from 'fast-check';
import { parse } from 'yaml';
import { isSame } from '../../../../src/console/story-model/same-value.js';
import { LongNumber, parseExact } from '../../../../src/console/text/exact-json.js';
import { FORMATS } from '../../../../src/console/text/formats/formats.js';
import { TextFault } from '../../../../src/console/text/formats/text-format.js';

/** Texts that YAML takes for something else, or that its blocks and quotes may lose. */
const HARD = [
  ...`yes¦No¦on¦OFF¦y¦null¦Null¦~¦true¦True¦¦ ¦-¦?¦:¦#¦<<¦0123¦1e3¦0x1F¦0o17¦1_000¦.5¦+1¦-0¦.inf¦.NaN`.split(
    '¦',
  ),
  ...`12:30:45¦123¦=¦2024-01-01¦2024-01-01T10:00:00Z¦2024-1-1 10:00:00¦!!str¦&a¦*a¦%TAG¦@x¦\`x\`¦---`.split(
    '¦',
  ),
  ...`...¦--- a¦a: b¦a #b¦- a¦? a¦{a}¦[a]¦"a"¦'a'¦|¦>¦a:¦ a¦a ¦a\nb¦a\n¦\na¦a\n\n¦a\n b¦ a\nb¦a\n  `.split(
    '¦',
  ),
  ...`a\r\nb¦a\r¦\t¦a\tb¦\ta\nb¦a\n\tb¦\u0000¦\u007f¦\u0085¦\u00a0¦\u2028¦\ufeff¦\ud800¦😀¦a\u2028b\nc`.split(
    '¦',
  ),
  ...`x\n---\ny¦=1 + 2¦{{ .a | b: "c" }}¦<<receive.body["odd key"]>>¦{% if a %}\n  b: c\n{% endif %}\n`.split(
    '¦',
  ),
  '__proto__',
  `{"a": [1, 2, {"b": "${'long '.repeat(30)}"}]}`,
  `# ${'x'.repeat(200)}`,
];

const hard = fc.oneof(
  fc.constantFrom(...HARD),
  fc.tuple(fc.constantFrom(...HARD), fc.constantFrom(...HARD)).map((pair) => pair.join('\n')),
  fc.string(),
  fc.string({ unit: 'binary' }),
);
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
);
const scalar = fc.oneof({ weight: 3, arbitrary: hard }, number, fc.boolean(), fc.constant(null));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(hard, tie('value'), { maxKeys: 4 }),
  ),
}));

const faultOf = (format: keyof typeof FORMATS, text: string): [message: string, at: number] => {
  try {
    FORMATS[format].read(text);
  } catch (error) {
    if (error instanceof TextFault) return [error.message, error.at];
    throw error;
  }
  throw new Error('The text can be read.');
};

const readAs = (text: string) => {
  try {
    return JSON.stringify(FORMATS.yaml.read(text).value);
  } catch (error) {
    return error instanceof TextFault ? 'a fault' : error;
  }
};

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe.each(['json', 'yaml'] as const)('a value as %s', (name) => {
  const format = FORMATS[name];

  it('is the same when it is read again', () => {
    fc.assert(
      fc.property(value, (given) => {
        const { value: back } = format.read(format.write(given));
        return isSame(back, parseExact(JSON.stringify(given)));
      }),
      {
        numRuns: 500,
        examples: [...HARD.map((text): [unknown] => [{ [text]: [text, { a: text }] }]), [{}], [[]]],
      },
    );
  });

  it('is the same in a list of many', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 3 }), (items) => {
        const text = format.lists([
          ['agents', items.map((item) => format.item({ item }))],
          ['links', []],
          ['notes', items.map((item) => format.item({ item }))],
        ]);
        const wanted = {
          agents: items.map((item) => ({ item })),
          links: [],
          notes: items.map((item) => ({ item })),
        };
        return isSame(format.read(text).value, parseExact(JSON.stringify(wanted)));
      }),
      { numRuns: 200 },
    );
  });

  it('keeps all digits of a number, where the browser can', () => {
    const digits = '12345678901234567890.5';
    expect(format.read(digits).value).toEqual(parseExact(digits));
    if (name === 'yaml') expect(format.write([new LongNumber(digits)])).toBe(`- ${digits}\n`);
  });

  it('nests no deeper than the server takes', () => {
    expect(() => format.read(nested(480))).not.toThrow();
    expect(() => format.read(nested(481))).toThrow(TextFault);
    expect(() => format.read(nested(20_000))).toThrow(TextFault);
  });

  it('says where its parts are', () => {
    const text = format.write({ agents: [{ name: 'A' }, { name: 'B', options: { 443: ['x', 'y'] } }] });
    const { offsetOf } = format.read(text);
    expect(text.slice(offsetOf(['agents', 1, 'name'])).replaceAll('"', '')).toMatch(/^B/);
    expect(text.slice(offsetOf(['agents', 1, 'options', '443', 1])).replaceAll('"', '')).toMatch(/^y/);
    expect(offsetOf(['agents', 1, 'guid'])).toBe(offsetOf(['agents', 1]));
    expect(offsetOf(['agents', 9, 'name'])).toBe(offsetOf(['agents']));
  });
});

describe('JSON that cannot be read', () => {
  it.each([
    ['{"a": }', 6],
    ['{\n  "a": 1,\n}', 12],
    ['{"a": 1 "b": 2}', 8],
    ['{"a": tru}', 6],
    ['{"a": 1', 7],
    ['', 0],
    ['{"a": {"443": 1,\n"443": 2}}', 17],
    ['{"k": "a\\":", "\\u006b": 2}', 14],
  ])('%j is wrong from %d on', (text, at) => {
    const [message, place] = faultOf('json', text);
    expect(message).not.toMatch(/position/);
    expect(place).toBe(at);
  });
});

describe('YAML', () => {
  it('has texts of lines as blocks, and quotes what older readers take for something else', () => {
    const text = FORMATS.yaml.write({
      name: 'Ask',
      payload: '{\n  "a": 1\n}\n',
      long: `{"text": "${'word '.repeat(15)}"}`,
      on: 'yes',
      at: '2024-01-01',
      list: ['0123', '~'],
    });
    expect(text).toBe(
      [
        'name: Ask',
        'payload: |',
        '  {',
        '    "a": 1',
        '  }',
        'long: |-',
        `  {"text": "${'word '.repeat(15)}"}`,
        '"on": "yes"',
        'at: "2024-01-01"',
        'list:',
        '- "0123"',
        '- "~"',
        '',
      ].join('\n'),
    );
    expect(parse(text, { version: '1.1' })).toMatchObject({
      on: 'yes',
      at: '2024-01-01',
      list: ['0123', '~'],
    });
  });

  it('is read by items as it is read whole', () => {
    const lines = fc.constantFrom(
      ...`a:¦b: []¦a: []¦- x¦-¦- k: 1¦  l: 2¦  - y¦- |¦  text¦¦# note¦- "q`.split('¦'),
      ...`  q"¦- [1,¦  2]¦c: 1¦--- ¦...¦\t- z¦- *a¦- &a 1¦- {¦}¦- k: 1¦  k: 2¦ # note`.split('¦'),
    );
    fc.assert(
      fc.property(fc.array(lines, { minLength: 1, maxLength: 12 }), (chosen) => {
        const text = chosen.join('\n');
        // A key that is quoted is none of a list of items.
        const whole = text.replaceAll(/^([abc]):/gm, '"$1":');
        fc.pre(!whole.includes('"q'));
        expect(readAs(text)).toBe(readAs(whole));
      }),
      { numRuns: 200 },
    );
  });

  it('means the same to a reader of YAML 1.1, but for y and n', () => {
    fc.assert(
      fc.property(hard, (text) => {
        fc.pre(!/^[yn]$/i.test(text));
        expect(parse(FORMATS.yaml.write([text, { a: text }]), { version: '1.1' })).toEqual([
          text,
          { a: text },
        ]);
      }),
      { numRuns: 300, examples: HARD.map((text) => [text]) },
    );
  });

  it.each([
    [
      'a: yes\nb: ~\nc: 0123\nd: 0x1F\ne: 2024-01-01\n443: +1.5\ntrue: x',
      { a: 'yes', b: null, c: 123, d: 31 },
    ],
    ['# a comment\na: # another\n- 1', { a: [1] }],
  ])('as a person writes it: %j', (text, wanted) => {
    expect(FORMATS.yaml.read(text).value).toMatchObject(wanted);
  });

  it.each([
    ['a: [1', /./, 5],
    ['a: 1\na: 2', /unique/, 5],
    ['headers:\n  443: a\n  "443": b', /The key "443" is there twice/, 20],
    ['agents:\n- k:\n    true: 1\n    "true": 2', /The key "true" is there twice/, 29],
    ['a: &x 1\nb: *x', /References are not supported/, 11],
    ['a: .inf', /JSON has no number .inf/, 3],
    ['? [a]\n: 1', /A key must be a string/, 2],
    ['a: !odd 1', /tag/, 3],
    ['a: 1\n--- \nb: 2', /./, 5],
  ])('%p cannot be read', (text, message, at) => {
    const [words, place] = faultOf('yaml', text);
    expect(words).toMatch(message);
    expect(place).toEqual(at);
  });

  it.each(['[', '{a: ', '- '])('that nests without end of %s cannot be read', (open) => {
    expect(faultOf('yaml', open.repeat(20_000))[0]).not.toBe('');
  });
});
