import { LRUCache } from 'lru-cache';
import { type Matcher, MatcherInput, RE2JS, RE2JSException } from 're2js';
import { PermanentJobError } from '../platform/errors.js';
import type { JsonValue } from '../platform/json.js';
import { translateRubyPattern } from '../platform/text/ruby-pattern.js';
import { TimedText } from '../platform/text/timed-text.js';
import { TimeLimit } from '../platform/runtime/time-limit.js';

const MAX_PATTERN_LENGTH = 10_000;
const MAX_PROGRAM_SIZE = 20_000;
/** The engine stores the positions of all groups for each instruction. */
const MAX_GROUPS = 200;
/** Bound of the cached patterns: the sum of instructions × groups, about 16 bytes each. */
const MAX_KEPT_WEIGHT = 5_000_000;
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

/** A compiled pattern of a story's author. Its engine takes linear time for every pattern. */
export interface Pattern {
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

/** A compiled pattern, independent of the option that holds it. */
interface Engine {
  regex: RE2JS;
  lookahead: boolean;
  /** Maximum number of characters that are searched. */
  limit: number;
  weight: number;
}

const compiled = new LRUCache<string, Engine>({
  max: 500,
  maxSize: MAX_KEPT_WEIGHT,
  sizeCalculation: ({ weight }) => weight,
});

/** Starts the time limit for all searches of a run. */
export function startSearches(): TimeLimit {
  return new TimeLimit(MAX_SEARCH_MS);
}

/**
 * Compiles a pattern in Ruby's syntax: `^` and `$` match at line ends. Lookaround works only at the two ends of the
 * pattern. `name` is the option's.
 * @throws PermanentJobError naming the option and the fault.
 */
export function compilePattern(source: string, options: { name: string; ignoreCase: boolean }): Pattern {
  const key = `${options.ignoreCase ? 'i' : 'c'}${source}`;
  const known = compiled.get(key);
  if (known !== undefined) return patternOf(known, options.name);
  const built = build(source, options);
  compiled.set(key, built);
  return patternOf(built, options.name);
}

/** Returns the reason why a pattern cannot be used; undefined if it can. */
export function patternFault(source: string): string | undefined {
  try {
    compilePattern(source, { name: 'pattern', ignoreCase: false });
    return undefined;
  } catch (error) {
    if (error instanceof PermanentJobError) return error.message.replace(/^pattern: /, '');
    throw error;
  }
}

function build(source: string, { name, ignoreCase }: { name: string; ignoreCase: boolean }): Engine {
  if (source.length > MAX_PATTERN_LENGTH)
    throw unusable(name, `longer than ${MAX_PATTERN_LENGTH} characters`);
  const { source: translated, lookahead } = translateRubyPattern(source);
  const flags = RE2JS.MULTILINE | RE2JS.LOOKBEHINDS | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  const regex = compile(translated, flags, name);
  const size = regex.programSize();
  if (size > MAX_PROGRAM_SIZE) throw unusable(name, 'too large');
  if (regex.groupCount() > MAX_GROUPS) throw unusable(name, `more than ${MAX_GROUPS} groups`);
  const limit = Math.min(MAX_SUBJECT_LENGTH, Math.max(MIN_SUBJECT_LENGTH, Math.floor(MAX_WORK / size)));
  return { regex, lookahead, limit, weight: size * (regex.groupCount() + 1) };
}

function patternOf({ regex, lookahead, limit }: Engine, name: string): Pattern {
  const matcherOf = (text: string, checkTime: () => void): Matcher =>
    regex.matcher(MatcherInput.utf16(new TimedText(text, checkTime)));
  return {
    find(subject, time) {
      const text = subject.slice(0, limit);
      const found = matcherOf(text, checkOf(name, time)).find();
      return { found, searched: text.length, length: subject.length };
    },
    scan(subject, time) {
      const text = subject.slice(0, limit);
      const checkTime = checkOf(name, time);
      const matches = scan(matcherOf(text, checkTime), { lookahead, name, checkTime });
      return { matches, searched: text.length, length: subject.length };
    },
  };
}

function checkOf(name: string, time: TimeLimit): () => void {
  return () => {
    if (time.isOver()) throw unusable(name, `its search takes longer than ${MAX_SEARCH_MS} ms`);
  };
}

function compile(source: string, flags: number, name: string): RE2JS {
  try {
    return RE2JS.compile(source, flags);
  } catch (error) {
    if (error instanceof RE2JSException)
      throw unusable(name, error.message.slice(0, MAX_FAULT_CHARACTERS), error);
    throw error;
  }
}

interface Scan {
  lookahead: boolean;
  name: string;
  checkTime: () => void;
}

function scan(matcher: Matcher, { lookahead, name, checkTime }: Scan): JsonValue[] {
  const matches: JsonValue[] = [];
  const firstGroup = lookahead ? 2 : 1;
  let next = 0;
  while (lookahead ? matcher.find(next) : matcher.find()) {
    checkTime();
    const groups = groupsOf(matcher, firstGroup);
    matches.push(groups.length > 0 ? groups : (matcher.group(lookahead ? 1 : 0) ?? ''));
    if (matches.length >= MAX_MATCHES) throw unusable(name, `found more than ${MAX_MATCHES} times`);
    if (!lookahead) continue;
    next = matcher.end(1) === matcher.start() ? matcher.end(1) + 1 : matcher.end(1);
    if (next > matcher.matcherInputLength) break;
  }
  return matches;
}

function groupsOf(matcher: Matcher, first: number): (string | null)[] {
  const groups: (string | null)[] = [];
  for (let index = first; index <= matcher.groupCount(); index += 1) groups.push(matcher.group(index));
  return groups;
}

function unusable(name: string, why: string, cause?: unknown): PermanentJobError {
  return new PermanentJobError(`${name}: this pattern cannot be used: ${why}`, { cause });
}
