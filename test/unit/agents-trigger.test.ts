import { PermanentJobError } from '../../src/platform/errors.js';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { runType } from '../support/agent-context.js';
import { cpuMsOf } from '../support/cpu-time.js';

const run = (options: JsonObject) => runType('Trigger', options);
const MATCH = { payload: { rule_matched: true } };
const NO_MATCH = { payload: { rule_matched: false }, branch: 'secondary' };

async function holds(type: string, path: JsonValue, value?: JsonValue): Promise<boolean> {
  const { outputs } = await run({ rules: [{ type, path, ...(value === undefined ? {} : { value }) }] });
  return outputs[0]?.branch !== 'secondary';
}

describe('a rule', () => {
  test.each<[string, JsonValue, JsonValue | undefined, boolean]>([
    ['regex', 'say FINISHED now', 'finished', true],
    ['regex', 'say nothing', 'finished', false],
    ['regex', 'first\nsecond', '^second$', true],
    ['regex', 'first\nsecond', '\\Asecond', false],
    ['regex', 'first\nsecond', '\\Afirst$', true],
    ['regex', 'end\n', 'end\\Z', true],
    ['regex', '', '^$', true],
    ['regex', 'x', '^$', false],
    ['regex', null, '^$', true],
    ['regex', { a: 1 }, '"a":1', true],
    ['regex', 42, '4', true],
    ['regex', 'cafe', '[[:alpha:]]+\\h', true],
    ['regex', 'a/b', 'a\\/b', true],
    ['regex', 'a\nb', 'a(?m:.)b', true],
    ['regex', 'a\nb', 'a.b', false],
    ['regex', '[10.0.0.1]', '(?<=\\[)\\d+', true],
    ['regex', 'x', ['y', 'x'], true],
    ['!regex', 'abc', 'x', true],
    ['!regex', 'abc', 'B', false],
    ['!regex', 'abc', ['x', 'b'], false],
    ['field==value', '201', '201', true],
    ['field==value', 201, '201', true],
    ['field==value', true, 'true', true],
    ['field==value', '201', '0201', false],
    ['field==value', 'Yes', 'yes', false],
    ['field==value', [], '[]', true],
    ['field==value', null, '', true],
    ['field==value', 'b', ['a', 'b'], true],
    ['field!=value', [], '[]', false],
    ['field!=value', 'c', ['a', 'b'], true],
    ['field!=value', 'b', ['a', 'b'], false],
    ['field>value', '100', '99', true],
    ['field>value', '9', '10', false],
    ['field>value', 10, 10, false],
    ['field>value', ' 10.5 ', '1e1', true],
    ['field>value', '', '-1', false],
    ['field>value', 'ten', '1', false],
    ['field>value', '0x10', '1', false],
    ['field>value', null, '-1', false],
    ['field>=value', '10', '10', true],
    ['field<value', '-1.5', '-1', true],
    ['field<value', 'x', '5', false],
    ['field<=value', '20', '20', true],
    ['field<=value', '21', '20', false],
    ['in', 'text file', 'text', true],
    ['in', ['a', 'b'], 'b', true],
    ['in', ['ab'], 'b', false],
    ['in', '["a","b"]', 'b', true],
    ['in', '["ab"]', 'b', false],
    ['in', [true, false], true, true],
    ['in', 'ceo@example.com', ['boss@', 'ceo@'], true],
    ['in', 'ceo@example.com', '["boss@","ceo@"]', true],
    ['not in', '12345', '9', true],
    ['not in', ['a'], 'a', false],
    ['not in', 'c', ['a', 'b'], true],
    ['not in', 'c', ['a', 'c'], false],
    ['field!=null', 'x', undefined, true],
    ['field!=null', '', undefined, false],
    ['field!=null', null, undefined, false],
    ['field==null', null, undefined, true],
    ['field==null', 0, undefined, false],
    ['formula', true, undefined, true],
    ['formula', 'text', undefined, true],
    ['formula', false, undefined, false],
    ['formula', null, undefined, false],
    ['formula', '', undefined, false],
    ['formula', [], undefined, false],
    ['formula', {}, undefined, false],
    ['formula', 0, undefined, true],
  ])('%s of %j and %j gives the right outcome', async (type, path, value, expected) => {
    expect(await holds(type, path, value)).toBe(expected);
  });

  test('minds letter case only when asked to', async () => {
    const rule = { type: 'regex', path: 'Yes', value: 'yes' };
    expect((await run({ rules: [rule] })).outputs).toEqual([MATCH]);
    expect((await run({ rules: [{ ...rule, case_sensitive: 'true' }] })).outputs).toEqual([NO_MATCH]);
  });

  test.each([
    [{ type: 'regex', path: 'x', value: '(unclosed' }, /rules\[0\]\.value: invalid pattern/],
    [{ type: 'regex', path: 'x', value: '(a)\\2' }, /rules\[0\]\.value/],
    [{ type: 'regex', path: 'x', value: '(a{100}b){1000}{1000}' }, /rules\[0\]\.value/],
    [{ type: 'matches', path: 'x', value: 'x' }, /rules\[0\]: unknown rule type "matches"/],
    [{ path: 'x' }, /rules\[0\]\.type is required/],
  ])('%j is set aside with a reason that names it', async (rule, message) => {
    const running = run({ rules: [rule] });
    await expect(running).rejects.toBeInstanceOf(PermanentJobError);
    await expect(running).rejects.toThrow(message);
  });

  test('that backtracks elsewhere ends at once', async () => {
    const tookMs = await cpuMsOf(async () =>
      expect(await holds('regex', `${'a'.repeat(50_000)}!`, '^(a+)+$')).toBe(false),
    );
    expect(tookMs).toBeLessThan(2000);
  });

  test('searches the beginning of a very long text, and says so', async () => {
    const path = `${'x'.repeat(2_000_000)}needle`;
    const { outputs, logs } = await run({ rules: [{ type: 'regex', path, value: 'needle' }] });
    expect(outputs).toEqual([NO_MATCH]);
    expect(logs[0]).toMatchObject({
      level: 'warn',
      message: expect.stringMatching(/rules\[0\]: only the first \d+ of 2000006/),
    });
  });
});

describe('a trigger', () => {
  const yes = { type: 'field==value', path: '1', value: '1' };
  const no = { type: 'field==value', path: '1', value: '2' };

  test.each<[string, JsonObject, boolean]>([
    ['all rules by default', { rules: [yes, yes] }, true],
    ['all rules by default, one of which fails', { rules: [yes, no] }, false],
    ['one of two', { rules: [yes, no], must_match: '1' }, true],
    ['one of two that both fail', { rules: [no, no], must_match: 1 }, false],
    ['two of three', { rules: [yes, no, yes], must_match: 2 }, true],
    ['more than there are', { rules: [yes], must_match: '2' }, false],
    ['an empty must_match as all', { rules: [yes, no], must_match: '' }, false],
    ['a rule that stands alone', { rules: yes }, true],
  ])('wants %s', async (_name, options, expected) => {
    expect((await run(options)).outputs).toEqual([expected ? MATCH : NO_MATCH]);
  });

  test.each([true, 'true'])('sends the other outcome down every link with emit_no_match %j', async (emit) => {
    expect((await run({ rules: [no], emit_no_match: emit })).outputs).toEqual([
      { payload: { rule_matched: false }, branch: 'all' },
    ]);
    expect((await run({ rules: [yes], emit_no_match: emit })).outputs).toEqual([MATCH]);
  });

  test.each([
    [{ rules: [yes], must_match: 'all' }, /must_match/],
    [{ rules: 5 }, /rules/],
    [{}, /rules is required/],
    [{ rules: [yes], emit_no_match: 'perhaps' }, /emit_no_match/],
  ])('with %j is set aside with the name of the option', async (options, message) => {
    await expect(run(options as JsonObject)).rejects.toThrow(message);
  });
});

describe('L5: the rule "formula is false"', () => {
  test.each<[JsonValue, boolean]>([
    [false, true],
    [null, true],
    ['', true],
    [[], true],
    [{}, true],
    [true, false],
    [0, false],
    ['false', false],
    [[0], false],
  ])('is the opposite of "formula is true": %j', async (path, isHeld) => {
    expect(await holds('!formula', path)).toBe(isHeld);
    expect(await holds('formula', path)).toBe(!isHeld);
    expect(await holds('!formula', path, [])).toBe(isHeld);
  });
});
