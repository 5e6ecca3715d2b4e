import { LRUCache } from 'lru-cache';
import { PermanentJobError } from '../platform/errors.js';
import type { JsonValue } from '../platform/json.js';
import { PatternError } from '../platform/patterns/pattern-error.js';
import { compileRubyPattern, type RubyMatch, type RubyPattern } from '../platform/patterns/ruby-pattern.js';
import { TimeLimit } from '../platform/runtime/time-limit.js';

const MAX_PATTERN_LENGTH = 10_000;
const MAX_PROGRAM_SIZE = 20_000;
/** Approximate size of all cached patterns. */
const MAX_KEPT_BYTES = 50_000_000;
/** Bound of the fault's text in a message: the engine quotes the pattern, which may be very long. */
const MAX_FAULT_CHARACTERS = 300;
/** Time limit for all searches of one run together, because they block the event loop. */
export const MAX_SEARCH_MS = 2_000;
/** Characters that are searched: fewer for a large pattern, so that no search blocks the process for long. */
const MAX_SUBJECT_LENGTH = 1024 * 1024;
const MIN_SUBJECT_LENGTH = 16 * 1024;
const MAX_WORK = 50_000_000;
const MAX_MATCHES = 50_000;

/** The extent of a search; if `searched` is less than `length`, the rest of the text was not searched. */
interface Searched {
  searched: number;
  length: number;
}

/** A compiled pattern of a story's author, on an engine that the time limit can stop. */
export interface OptionPattern {
  /**
   * Whether the pattern matches anywhere in the text.
   * @throws PermanentJobError naming the option if the time limit is over (see startSearches).
   */
  find(subject: string, time: TimeLimit): Searched & { found: boolean };
  /**
   * Returns all matches like Ruby's `String#scan`: texts, or lists of the groups' texts if the pattern has groups.
   * @throws PermanentJobError as `find`, and for too many matches.
   */
  scan(subject: string, time: TimeLimit): Searched & { matches: JsonValue[] };
}

const compiled = new LRUCache<string, RubyPattern>({
  max: 500,
  maxSize: MAX_KEPT_BYTES,
  sizeCalculation: ({ bytes }) => bytes,
});

/** Starts the time limit for all searches of a run. */
export function startSearches(): TimeLimit {
  return new TimeLimit(MAX_SEARCH_MS);
}

/**
 * Compiles a pattern in Ruby's syntax: `^` and `$` match at line ends. `name` is the option's.
 * @throws PermanentJobError naming the option and the fault.
 */
export function compileOptionPattern(
  source: string,
  options: { name: string; ignoreCase: boolean },
): OptionPattern {
  const key = `${options.ignoreCase ? 'i' : 'c'}${source}`;
  const known = compiled.get(key);
  if (known !== undefined) return patternOf(known, options.name);
  const built = build(source, options);
  compiled.set(key, built);
  return patternOf(built, options.name);
}

/** Returns the reason why a pattern cannot be used; undefined if it can. */
export function optionPatternFault(source: string): string | undefined {
  try {
    compileOptionPattern(source, { name: 'pattern', ignoreCase: false });
    return undefined;
  } catch (error) {
    if (error instanceof PermanentJobError) return error.message.replace(/^pattern: /, '');
    throw error;
  }
}

function build(source: string, { name, ignoreCase }: { name: string; ignoreCase: boolean }): RubyPattern {
  if (source.length > MAX_PATTERN_LENGTH)
    throw unusable(name, `longer than ${MAX_PATTERN_LENGTH} characters`);
  try {
    return compileRubyPattern(source, { ignoreCase, maxInstructions: MAX_PROGRAM_SIZE });
  } catch (error) {
    if (error instanceof PatternError)
      throw unusable(name, error.message.slice(0, MAX_FAULT_CHARACTERS), error);
    throw error;
  }
}

function patternOf(pattern: RubyPattern, name: string): OptionPattern {
  const limit = Math.min(
    MAX_SUBJECT_LENGTH,
    Math.max(MIN_SUBJECT_LENGTH, Math.floor(MAX_WORK / pattern.size)),
  );
  return {
    find(subject, time) {
      const text = subject.slice(0, limit);
      const [first] = matchesIn(text, { pattern, name, time });
      return { found: first !== undefined, searched: text.length, length: subject.length };
    },
    scan(subject, time) {
      const text = subject.slice(0, limit);
      const matches: JsonValue[] = [];
      for (const { group } of matchesIn(text, { pattern, name, time })) {
        const groups = pattern.groupNames.map((_name, index) => group(index + 1));
        matches.push(groups.length > 0 ? groups : (group(0) ?? ''));
        if (matches.length >= MAX_MATCHES) throw unusable(name, `found more than ${MAX_MATCHES} times`);
      }
      return { matches, searched: text.length, length: subject.length };
    },
  };
}

interface Search {
  pattern: RubyPattern;
  name: string;
  time: TimeLimit;
}

function* matchesIn(text: string, { pattern, name, time }: Search): Generator<RubyMatch> {
  const checkTime = (): void => {
    if (time.isOver()) throw unusable(name, `its search takes longer than ${MAX_SEARCH_MS} ms`);
  };
  try {
    for (const match of pattern.matches(text, checkTime)) {
      checkTime();
      yield match;
    }
  } catch (error) {
    if (error instanceof PatternError) throw unusable(name, error.message, error);
    throw error;
  }
}

function unusable(name: string, why: string, cause?: unknown): PermanentJobError {
  return new PermanentJobError(`${name}: this pattern cannot be used: ${why}`, { cause });
}
