import { CharSet } from '../platform/patterns/characters/char-set.js';
import {
  type LimitedPattern,
  PatternCompiler,
  type PatternLimits,
} from '../platform/patterns/pattern-compiler.js';
import { PatternError } from '../platform/patterns/pattern-error.js';
import type { RubyMatch } from '../platform/patterns/ruby-pattern.js';
import { TimeLimit } from '../platform/runtime/time-limit.js';
import { MAX_OUTPUT_CHARACTERS, MAX_RENDER_MS } from './limits.js';
import { replacementOf } from './pattern-replacement.js';
import { shortened } from '../platform/text/shortened.js';
import { TemplateError } from '../platform/text/template-error.js';

const LIMITS: PatternLimits = {
  characters: 2_000,
  instructions: 5_000,
  text: { least: 0, most: 1_000_000 },
  kept: 1_000,
};
/** Characters that `.` does not match in patterns of JSONPath (RFC 9485 §5). */
const NO_LINE_BREAK = new CharSet((code) => code !== 0x0a && code !== 0x0d);

const rubyPatterns = new PatternCompiler(LIMITS);
const jsonPathPatterns = new PatternCompiler({ ...LIMITS, dot: NO_LINE_BREAK });

/** A pattern of a user, on an engine that the time limit can stop. */
export interface Pattern {
  /** `checkTime`, here and below, throws when the search takes too long. Default: a limit of one second. */
  test(text: string, checkTime?: () => void): boolean;
  /** Returns every match from the left; groups are those of the author's pattern, an absent one is null. */
  matches(text: string, checkTime: () => void): Iterable<PatternMatch>;
  /** Replaces every match as Ruby's `gsub` does: see `replacementOf`. */
  replaceAll(text: string, replacement: string, checkTime: () => void): string;
  /** Replaces the first match alone, as `sub` does. */
  replaceFirst(text: string, replacement: string, checkTime: () => void): string;
}

export interface PatternMatch {
  /** Start index in the text, from 0. */
  start: number;
  text: string;
  groups: (string | null)[];
  named: Record<string, string | null>;
}

interface PatternOptions {
  /** Ruby's modifiers: any of `i`, `m` and `x`. */
  modifiers?: string;
  /** The pattern is one of JSONPath (RFC 9485): `.` matches no line break. */
  isJsonPath?: boolean;
}

/**
 * Compiles a pattern with Ruby's semantics: `^` and `$` match at every line, `(?m)` lets `.` match line breaks.
 * @throws TemplateError when it is not valid or too large.
 */
export function compilePattern(source: string, options: PatternOptions = {}): Pattern {
  const { modifiers, isJsonPath = false } = options;
  try {
    return createPattern((isJsonPath ? jsonPathPatterns : rubyPatterns).compile(source, modifiers));
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new TemplateError(unusable(source, error.message), { cause: error });
  }
}

/** Returns why a pattern cannot be used; undefined if it can. */
export function patternFault(source: string): string | undefined {
  const why = rubyPatterns.fault(source);
  return why === undefined ? undefined : unusable(source, why);
}

function unusable(source: string, why: string): string {
  return `the pattern ${JSON.stringify(shortened(source, 200))} cannot be used: ${shortened(why, 300)}`;
}

function createPattern(pattern: LimitedPattern): Pattern {
  return {
    test: (text, checkTime = ownTimeLimit()) => {
      for (const _match of matchesOf(pattern, text, checkTime)) return true;
      return false;
    },
    *matches(text, checkTime) {
      const { groupNames } = pattern;
      for (const { start, group } of matchesOf(pattern, text, checkTime)) {
        const groups = groupNames.map((_name, index) => group(index + 1));
        yield { start, text: group(0) ?? '', groups, named: namedGroups(groupNames, groups) };
      }
    },
    replaceAll: (text, replacement, checkTime) =>
      replaced({ pattern, replacement, most: Infinity }, text, checkTime),
    replaceFirst: (text, replacement, checkTime) =>
      replaced({ pattern, replacement, most: 1 }, text, checkTime),
  };
}

interface Replacing {
  pattern: LimitedPattern;
  replacement: string;
  /** Matches that are replaced at most. */
  most: number;
}

function replaced({ pattern, replacement, most }: Replacing, text: string, checkTime: () => void): string {
  const pieces = replacementOf(replacement, pattern.groupNames);
  const parts: string[] = [];
  let position = 0;
  let length = 0;
  let count = 0;
  for (const match of matchesOf(pattern, text, checkTime)) {
    const by = pieces.map((piece) => (typeof piece === 'string' ? piece : piece(match, text))).join('');
    parts.push(text.slice(position, match.start), by);
    position = match.end;
    length += by.length;
    count += 1;
    if (length > MAX_OUTPUT_CHARACTERS) throw new TemplateError('the result is too long');
    if (count === most) break;
  }
  return parts.join('') + text.slice(position);
}

function* matchesOf(pattern: LimitedPattern, text: string, checkTime: () => void): Generator<RubyMatch> {
  if (text.length > pattern.maxText) {
    throw new TemplateError(`a text of ${text.length} characters is too long for this pattern`);
  }
  try {
    for (const match of pattern.matches(text, checkTime)) {
      checkTime();
      yield match;
    }
  } catch (error) {
    if (error instanceof PatternError)
      throw new TemplateError(`the pattern cannot be used: ${error.message}`);
    throw error;
  }
}

function ownTimeLimit(): () => void {
  const time = new TimeLimit(MAX_RENDER_MS);
  return () => {
    if (time.isOver()) throw new TemplateError(`the pattern takes longer than ${MAX_RENDER_MS} ms`);
  };
}

/** Returns named groups; of several with the same name, the last one that matched. */
function namedGroups(
  names: readonly (string | undefined)[],
  groups: (string | null)[],
): Record<string, string | null> {
  const named = new Map<string, string | null>();
  for (const [index, name] of names.entries()) {
    if (name !== undefined) named.set(name, groups[index] ?? named.get(name) ?? null);
  }
  return Object.fromEntries(named);
}
