import { LRUCache } from 'lru-cache';
import { type Matcher, RE2JS, RE2JSException } from 're2js';
import { PermanentJobError } from '../errors.js';
import type { JsonValue } from '../json.js';
import { translateRubyPattern } from '../text/ruby-pattern.js';

const MAX_PATTERN_LENGTH = 10_000;
const MAX_PROGRAM_SIZE = 20_000;
/** Characters searched: fewer for a large pattern, so that no search holds up the process for long. */
const MAX_SUBJECT_LENGTH = 1024 * 1024;
const MIN_SUBJECT_LENGTH = 16 * 1024;
const MAX_WORK = 50_000_000;
const MAX_MATCHES = 50_000;
/** Characters looked at again behind lookaheads, over all matches of one scan. */
const MAX_LOOKAHEAD = 1_000_000;

/** What a search came to; when `searched` is less than `length`, the rest of the text was not looked at. */
interface Searched {
  searched: number;
  length: number;
}

/** A pattern of a story's author, compiled for an engine that takes linear time whatever the pattern. */
export interface Pattern {
  /** Whether it is found anywhere in the text. */
  find(subject: string): Searched & { found: boolean };
  /** Like Ruby's `String#scan`: texts, or lists of the groups' texts when the pattern has groups. */
  scan(subject: string): Searched & { matches: JsonValue[] };
}

const compiled = new LRUCache<string, Pattern>({ max: 500 });

/**
 * Compiles a pattern in Ruby's syntax: `^` and `$` are ends of lines, and lookaround works at the two ends only.
 * `name` is the option it stands in.
 * @throws PermanentJobError naming the option and the fault.
 */
export function compilePattern(source: string, options: { name: string; ignoreCase: boolean }): Pattern {
  const key = `${options.ignoreCase ? 'i' : 'c'}${source}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const pattern = build(source, options);
  compiled.set(key, pattern);
  return pattern;
}

function build(source: string, { name, ignoreCase }: { name: string; ignoreCase: boolean }): Pattern {
  if (source.length > MAX_PATTERN_LENGTH)
    throw unusable(name, `longer than ${MAX_PATTERN_LENGTH} characters`);
  const { source: translated, lookahead } = translateRubyPattern(source);
  const flags = RE2JS.MULTILINE | RE2JS.LOOKBEHINDS | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  const engine = compile(translated, flags, name);
  const size = engine.programSize();
  if (size > MAX_PROGRAM_SIZE) throw unusable(name, 'too large');
  const limit = Math.min(MAX_SUBJECT_LENGTH, Math.max(MIN_SUBJECT_LENGTH, Math.floor(MAX_WORK / size)));
  const cut = (subject: string) => ({ text: subject.slice(0, limit), length: subject.length });
  return {
    find(subject) {
      const { text, length } = cut(subject);
      return { found: engine.matcher(text).find(), searched: text.length, length };
    },
    scan(subject) {
      const { text, length } = cut(subject);
      return { matches: scan(engine.matcher(text), lookahead, name), searched: text.length, length };
    },
  };
}

function compile(source: string, flags: number, name: string): RE2JS {
  try {
    return RE2JS.compile(source, flags);
  } catch (error) {
    if (error instanceof RE2JSException) throw unusable(name, error.message, error);
    throw error;
  }
}

function scan(matcher: Matcher, lookahead: boolean, name: string): JsonValue[] {
  const matches: JsonValue[] = [];
  const firstGroup = lookahead ? 2 : 1;
  let budget = MAX_LOOKAHEAD;
  let next = 0;
  while (lookahead ? matcher.find(next) : matcher.find()) {
    const groups = groupsOf(matcher, firstGroup);
    matches.push(groups.length > 0 ? groups : (matcher.group(lookahead ? 1 : 0) ?? ''));
    if (matches.length >= MAX_MATCHES) throw unusable(name, `found more than ${MAX_MATCHES} times`);
    if (!lookahead) continue;
    budget -= matcher.end() - matcher.end(1);
    if (budget < 0) throw unusable(name, 'its lookahead reaches too far too often');
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
