import { readFileSync } from 'node:fs';
import { compileRubyPattern, type RubyPattern } from '../../src/platform/patterns/ruby-pattern.js';
import { PatternError } from '../../src/platform/patterns/pattern-error.js';
import { compilePattern } from '../../src/language/patterns.js';

/** Rows that Ruby 3.1 made, one on a line. */
const rowsOf = (name: string): unknown[][] =>
  readFileSync(`test/support/ruby/${name}.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown[]);

const compile = (source: string): RubyPattern => compileRubyPattern(source, { maxInstructions: 20_000 });

/** The match and its groups, of every match: null if the pattern is refused. */
function scanned(source: string, text: string): (string | null)[][] | null {
  try {
    const pattern = compile(source);
    const found: (string | null)[][] = [];
    for (const { group } of pattern.matches(text, () => undefined)) {
      found.push([group(0), ...pattern.groupNames.map((_name, index) => group(index + 1))]);
    }
    return found;
  } catch (error) {
    if (error instanceof PatternError) return null;
    throw error;
  }
}

function replaced(text: string, pattern: string, by: string): string | null {
  try {
    return compilePattern(pattern).replaceAll(text, by, () => undefined);
  } catch {
    return null;
  }
}

describe('patterns that Ruby has tried', () => {
  it.each(rowsOf('matches') as [string, string, unknown][])('%j on %j', (source, text, expected) => {
    expect(scanned(source, text)).toEqual(expected);
  });

  it('replace what they find as in Ruby', () => {
    const rows = rowsOf('replacements') as [string, string, string, string | null][];
    const wrong = rows.filter(([text, pattern, by, expected]) => replaced(text, pattern, by) !== expected);
    expect(wrong).toEqual([]);
  });
});

const a = (count: number) => 'a'.repeat(count);

/** Steps of a search, in thousands: the time is looked at once in 2,048 steps. */
const stepsOf = (source: string, text: string): number => {
  let looks = 0;
  for (const _match of compile(source).matches(text, () => (looks += 1))) continue;
  return (looks * 2_048) / 1_000;
};

describe('the time of a search', () => {
  it.each([
    '^(a+)+$',
    '^(a|aa)+$',
    '(a|a)*[bc]',
    '(.*a){12}[bc]',
    '(a*)*[bc]',
    '(?:a?){20}[bc]',
    'a(?:.*[bc])?',
    'a(?:[^b]*?[bc])?',
    '(?=(a+)+$)[bc]',
    '(?!(a|a)*[bc])!',
  ])('of %s grows with the text, not faster', (source) => {
    const short = stepsOf(source, `${a(2_000)}!`);
    const long = stepsOf(source, `${a(16_000)}!`);
    expect(long).toBeLessThan(Math.max(short, 20) * 12);
  });

  it.each(['(a*)*\\1[bc]', '(?<x>a|a\\g<x>|aa)*[bc]', '(?:(a)|a)*(?(1)b|c)', '(a+)+\\1[bc]'])(
    'of %s, which can only be tried out, is stopped',
    (source) => {
      let looks = 0;
      const checkTime = (): void => {
        looks += 1;
        if (looks > 1_000) throw new Error('time is up');
      };
      expect(() => {
        for (const _match of compile(source).matches(`${a(5_000)}!`, checkTime)) continue;
      }).toThrow(/time is up|needs too much memory/);
    },
  );

  it('is bounded for groups that call themselves without end', () => {
    const pattern = compile('(?<x>\\g<x>y|z)');
    expect(() => [...pattern.matches('aaaa', () => undefined)]).toThrow(PatternError);
  });
});
