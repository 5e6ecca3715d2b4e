import { LRUCache } from 'lru-cache';
import type { CharSet } from './characters/char-set.js';
import { PatternError } from './pattern-error.js';
import { compileRubyPattern, type RubyPattern } from './ruby-pattern.js';

/** Approximate size of all patterns that a compiler keeps. */
const MAX_KEPT_BYTES = 50_000_000;
/** Limit of pattern instructions times characters of the text: a few seconds for one search at most. */
const MAX_WORK = 50_000_000;

/** Limits of the patterns of one kind. */
export interface PatternLimits {
  /** Characters of a pattern. */
  characters: number;
  instructions: number;
  /** Characters of a text: `most`, fewer for a large pattern, `least` for every pattern. */
  text: { least: number; most: number };
  /** Number of compiled patterns that are kept. */
  kept: number;
  /** Characters that `.` matches; default: all but a line feed. */
  dot?: CharSet;
}

/** A pattern, and how long a text may be: searches do not check it. */
export interface LimitedPattern extends RubyPattern {
  /** In characters. */
  maxText: number;
}

/** Compiles patterns of one kind, and keeps the most recently used. */
export class PatternCompiler {
  readonly #limits: PatternLimits;
  readonly #kept: LRUCache<string, LimitedPattern>;

  constructor(limits: PatternLimits) {
    this.#limits = limits;
    this.#kept = new LRUCache({
      max: limits.kept,
      maxSize: MAX_KEPT_BYTES,
      sizeCalculation: ({ bytes }) => bytes,
    });
  }

  /**
   * Compiles a pattern in Ruby's syntax: `^` and `$` match at every line. Modifiers are Ruby's, any of `i`, `m` and `x`.
   * @throws PatternError when it is not valid or too large.
   */
  compile(source: string, modifiers = ''): LimitedPattern {
    const { characters, instructions, text, dot } = this.#limits;
    if (source.length > characters) throw new PatternError(`longer than ${characters} characters`);
    const whole = modifiers === '' ? source : `(?${modifiers})${source}`;
    const known = this.#kept.get(whole);
    if (known !== undefined) return known;
    const pattern = compileRubyPattern(whole, {
      maxInstructions: instructions,
      ...(dot === undefined ? {} : { dot }),
    });
    const maxText = Math.min(text.most, Math.max(text.least, Math.floor(MAX_WORK / pattern.size)));
    const limited = { ...pattern, maxText };
    this.#kept.set(whole, limited);
    return limited;
  }

  /** Returns why a pattern cannot be used; undefined if it can. */
  fault(source: string): string | undefined {
    try {
      this.compile(source);
      return undefined;
    } catch (error) {
      if (error instanceof PatternError) return error.message;
      throw error;
    }
  }
}
