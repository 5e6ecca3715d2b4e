import { PermanentJobError } from '../platform/errors.js';
import type { JsonValue } from '../platform/json.js';
import { type LimitedPattern, PatternCompiler } from '../platform/patterns/pattern-compiler.js';
import { PatternError } from '../platform/patterns/pattern-error.js';
import type { RubyMatch } from '../platform/patterns/ruby-pattern.js';
import { TimeLimit } from '../platform/runtime/time-limit.js';

/** Bound of the fault's text in a message: the engine quotes the pattern, which may be very long. */
const MAX_FAULT_CHARACTERS = 300;
/** Time limit for all searches of one run together, because they block the event loop. */
export const MAX_SEARCH_MS = 2_000;
const MAX_MATCHES = 50_000;

const patterns = new PatternCompiler({
  characters: 10_000,
  instructions: 20_000,
  text: { least: 16 * 1024, most: 1024 * 1024 },
  kept: 500,
});

/** The extent of a search; if `searched` is less than `length`, the rest of the text was not searched. */
interface Searched {
  searched: number;
  length: number;
}

/** A compiled pattern in an option of an action, on an engine that the time limit can stop. */
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
  { name, ignoreCase }: { name: string; ignoreCase: boolean },
): OptionPattern {
  try {
    return patternOf(patterns.compile(source, ignoreCase ? 'i' : ''), name);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw failed(name, error.message, error);
  }
}

/** Returns the reason why a pattern cannot be used; undefined if it can. */
export function optionPatternFault(source: string): string | undefined {
  const why = patterns.fault(source);
  return why === undefined ? undefined : unusable(why);
}

function patternOf(pattern: LimitedPattern, name: string): OptionPattern {
  return {
    find(subject, time) {
      const text = subject.slice(0, pattern.maxText);
      const [first] = matchesIn(text, { pattern, name, time });
      return { found: first !== undefined, searched: text.length, length: subject.length };
    },
    scan(subject, time) {
      const text = subject.slice(0, pattern.maxText);
      const matches: JsonValue[] = [];
      for (const { group } of matchesIn(text, { pattern, name, time })) {
        const groups = pattern.groupNames.map((_name, index) => group(index + 1));
        matches.push(groups.length > 0 ? groups : (group(0) ?? ''));
        if (matches.length >= MAX_MATCHES) throw failed(name, `found more than ${MAX_MATCHES} times`);
      }
      return { matches, searched: text.length, length: subject.length };
    },
  };
}

interface Search {
  pattern: LimitedPattern;
  name: string;
  time: TimeLimit;
}

function* matchesIn(text: string, { pattern, name, time }: Search): Generator<RubyMatch> {
  const checkTime = (): void => {
    if (time.isOver()) throw failed(name, `its search takes longer than ${MAX_SEARCH_MS} ms`);
  };
  try {
    for (const match of pattern.matches(text, checkTime)) {
      checkTime();
      yield match;
    }
  } catch (error) {
    if (error instanceof PatternError) throw failed(name, error.message, error);
    throw error;
  }
}

function failed(name: string, why: string, cause?: unknown): PermanentJobError {
  return new PermanentJobError(`${name}: ${unusable(why)}`, { cause });
}

function unusable(why: string): string {
  return `invalid pattern: ${why.slice(0, MAX_FAULT_CHARACTERS)}`;
}
