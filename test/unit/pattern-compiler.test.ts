import { CharSet } from '../../src/platform/patterns/characters/char-set.js';
import { PatternCompiler, type PatternLimits } from '../../src/platform/patterns/pattern-compiler.js';
import { PatternError } from '../../src/platform/patterns/pattern-error.js';

const LIMITS: PatternLimits = {
  characters: 20,
  instructions: 1_000,
  text: { least: 60_000, most: 500_000 },
  kept: 2,
};

const compilerWith = (limits: Partial<PatternLimits> = {}) => new PatternCompiler({ ...LIMITS, ...limits });

function found(
  compiler: PatternCompiler,
  source: string,
  text: string,
  modifiers?: string,
): (string | null)[] {
  const texts = [];
  for (const { group } of compiler.compile(source, modifiers).matches(text, () => undefined)) {
    texts.push(group(0));
  }
  return texts;
}

const maxText = (source: string) => compilerWith().compile(source).maxText;

describe('a compiler of patterns', () => {
  it('refuses a pattern of more characters than its limit', () => {
    expect(() => compilerWith().compile('a'.repeat(21))).toThrow(
      new PatternError('longer than 20 characters'),
    );
    expect(compilerWith().fault('a'.repeat(20))).toBeUndefined();
    expect(compilerWith({ characters: 21 }).fault('a'.repeat(21))).toBeUndefined();
  });

  it('counts no modifiers among the characters', () => {
    expect(() => compilerWith().compile('a'.repeat(20), 'imx')).not.toThrow();
  });

  it('refuses a pattern of more instructions than its limit', () => {
    expect(compilerWith().fault('(?:ab){900}')).toMatch(/^too large/);
    expect(compilerWith({ instructions: 5_000 }).fault('(?:ab){900}')).toBeUndefined();
  });

  it('tells the longest text: shorter for a large pattern, within its limits', () => {
    expect(maxText('a')).toBe(500_000);
    expect(maxText('(?:ab){100}')).toBeLessThan(500_000);
    expect(maxText('(?:ab){100}')).toBeGreaterThan(60_000);
    expect(maxText('(?:ab){450}')).toBe(60_000);
  });

  it('keeps the patterns used last, each with its modifiers', () => {
    const compiler = compilerWith();
    const first = compiler.compile('a');
    const other = compiler.compile('a', 'i');
    expect(other).not.toBe(first);
    expect(compiler.compile('a')).toBe(first);
    compiler.compile('b');
    expect(compiler.compile('a')).toBe(first);
    expect(compiler.compile('a', 'i')).not.toBe(other);
  });

  it('applies modifiers to the whole pattern', () => {
    expect(found(compilerWith(), 'a|b', 'A b')).toEqual(['b']);
    expect(found(compilerWith(), 'a|b', 'A b', 'i')).toEqual(['A', 'b']);
    expect(found(compilerWith(), 'a . b', 'a\nb', 'mx')).toEqual(['a\nb']);
  });

  it('matches with `.` what its kind of patterns says', () => {
    const digits = new CharSet((code) => code >= 0x30 && code <= 0x39);
    expect(found(compilerWith({ dot: digits }), '.', 'a1b2')).toEqual(['1', '2']);
  });

  it('tells the fault of a pattern that is not valid', () => {
    expect(compilerWith().fault('(')).toBe('end pattern with unmatched parenthesis');
    expect(compilerWith().fault('(a)')).toBeUndefined();
  });
});
