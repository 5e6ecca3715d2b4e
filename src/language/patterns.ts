import { LRUCache } from 'lru-cache';
import { type Matcher, MatcherInput, RE2JS } from 're2js';
import { messageOf } from '../platform/errors.js';
import { translateRubyPattern } from '../platform/text/ruby-pattern.js';
import { TimedText } from '../platform/text/timed-text.js';
import { TimeLimit } from '../platform/runtime/time-limit.js';
import { MAX_OUTPUT_CHARACTERS, MAX_RENDER_MS } from './limits.js';
import { shortened } from './values/shortened.js';
import { TemplateError } from './template-error.js';

export const MAX_PATTERN_CHARACTERS = 2_000;
const MAX_SUBJECT_CHARACTERS = 1_000_000;
/** Limit of pattern instructions times characters of the text: about a second for one search. */
const MAX_WORK = 50_000_000;
const MAX_INSTRUCTIONS = 5_000;
/** The engine stores the positions of all groups for each instruction. */
const MAX_GROUPS = 200;
/** Approximate size of all cached patterns. */
const MAX_KEPT_BYTES = 50_000_000;
/** Measured size of a compiled pattern: the minimum; for each instruction, at most; and for each of its groups. */
const PATTERN_BYTES = 5_000;
const INSTRUCTION_BYTES = 220;
const PLACE_BYTES = 16;

/** A pattern of a user, on an engine whose time is linear in the text's length. */
export interface Pattern {
  /** `checkTime`, here and below, throws when the search takes too long. Default: a limit of one second. */
  test(text: string, checkTime?: () => void): boolean;
  /** Returns every match from the left; groups are those of the author's pattern, an absent one is null. */
  matches(text: string, checkTime: () => void): Iterable<PatternMatch>;
  /** Replaces every match; `\1`, `\0`, `\k<name>`, `$1`, `$&` and `${name}` insert groups. */
  replaceAll(text: string, replacement: string, checkTime: () => void): string;
}

export interface PatternMatch {
  /** Start index in the text, from 0. */
  start: number;
  text: string;
  groups: (string | null)[];
  named: Record<string, string | null>;
}

interface KeptPattern {
  pattern: Pattern;
  bytes: number;
}

const patterns = new LRUCache<string, KeptPattern>({
  max: 1_000,
  maxSize: MAX_KEPT_BYTES,
  sizeCalculation: ({ bytes }) => bytes,
});

/**
 * Compiles a pattern with Ruby's semantics: `^` and `$` match at every line, `(?m)` lets `.` match line breaks.
 * @throws TemplateError when it is not valid, or needs backtracking (back references and most
 * look-around).
 */
export function compilePattern(source: string): Pattern {
  const kept = patterns.get(source);
  if (kept !== undefined) return kept.pattern;
  if (source.length > MAX_PATTERN_CHARACTERS) {
    throw new TemplateError(`the pattern is longer than ${MAX_PATTERN_CHARACTERS} characters`);
  }
  const compiled = compile(source);
  const pattern = createPattern(compiled);
  patterns.set(source, { pattern, bytes: bytesOf(compiled.regex) });
  return pattern;
}

function bytesOf(regex: RE2JS): number {
  return PATTERN_BYTES + regex.programSize() * (INSTRUCTION_BYTES + PLACE_BYTES * regex.groupCount());
}

interface Compiled {
  regex: RE2JS;
  /** If true, the match ends where group 1 ends; the author's groups follow it. */
  lookahead: boolean;
}

function compile(source: string): Compiled {
  try {
    const translated = translateRubyPattern(source);
    const regex = RE2JS.compile(translated.source, RE2JS.MULTILINE | RE2JS.LOOKBEHINDS);
    if (regex.groupCount() > MAX_GROUPS) throw new TemplateError(`it has more than ${MAX_GROUPS} groups`);
    if (regex.programSize() <= MAX_INSTRUCTIONS) return { regex, lookahead: translated.lookahead };
  } catch (error) {
    const [quoted, why] = [JSON.stringify(shortened(source, 200)), shortened(messageOf(error), 300)];
    throw new TemplateError(`the pattern ${quoted} cannot be used: ${why}`, { cause: error });
  }
  throw new TemplateError('the pattern is too large');
}

function createPattern(compiled: Compiled): Pattern {
  const { regex } = compiled;
  const matcherOf = (text: string, checkTime: () => void): Matcher => {
    if (text.length > MAX_SUBJECT_CHARACTERS || text.length * regex.programSize() > MAX_WORK) {
      throw new TemplateError(`a text of ${text.length} characters is too long for this pattern`);
    }
    return regex.matcher(MatcherInput.utf16(new TimedText(text, checkTime)));
  };
  return {
    test: (text, checkTime = ownTimeLimit()) => matcherOf(text, checkTime).find(),
    *matches(text, checkTime) {
      for (const match of matchesOf(matcherOf(text, checkTime), compiled)) {
        checkTime();
        yield {
          start: match.start,
          text: text.slice(match.start, match.end),
          groups: match.groups(),
          named: match.named(),
        };
      }
    },
    replaceAll: (text, replacement, checkTime) => {
      const pieces = replacementPieces(replacement);
      const parts: string[] = [];
      let position = 0;
      let length = 0;
      for (const { start, end, group } of matchesOf(matcherOf(text, checkTime), compiled)) {
        checkTime();
        const by = pieces.map((piece) => (typeof piece === 'string' ? piece : group(piece.group))).join('');
        parts.push(text.slice(position, start), by);
        position = end;
        length += by.length;
        if (length > MAX_OUTPUT_CHARACTERS) throw new TemplateError('the result is too long');
      }
      return parts.join('') + text.slice(position);
    },
  };
}

function ownTimeLimit(): () => void {
  const time = new TimeLimit(MAX_RENDER_MS);
  return () => {
    if (time.isOver()) throw new TemplateError(`the pattern takes longer than ${MAX_RENDER_MS} ms`);
  };
}

interface Match {
  start: number;
  end: number;
  /** Returns a group by number or name; a group that does not exist, or did not match, is empty. */
  group: (name: string) => string;
  /** All of the author's groups in order, and the named ones. */
  groups: () => (string | null)[];
  named: () => Record<string, string | null>;
}

function* matchesOf(matcher: Matcher, { lookahead }: Compiled): Generator<Match> {
  let found = matcher.find();
  while (found) {
    const start = matcher.start();
    const end = lookahead ? matcher.end(1) : matcher.end();
    const shift = lookahead ? 1 : 0;
    yield {
      start,
      end,
      group: (name) => groupOf(matcher, name, shift),
      groups: () => groupsOf(matcher, shift),
      named: () => ({ ...matcher.getNamedGroups() }),
    };
    if (!lookahead) found = matcher.find();
    else found = end < matcher.inputLength() && matcher.find(end > start ? end : end + 1);
  }
}

function groupOf(matcher: Matcher, name: string, shift: number): string {
  if (!/^\d+$/.test(name)) return matcher.getNamedGroups()[name] ?? '';
  const index = Number(name) + shift;
  return index <= matcher.groupCount() ? (matcher.group(index) ?? '') : '';
}

function groupsOf(matcher: Matcher, shift: number): (string | null)[] {
  const count = matcher.groupCount() - shift;
  return Array.from({ length: count }, (_, index) => matcher.group(index + 1 + shift));
}

type Piece = string | { group: string };

const GROUP = /\\(\d)|\\k<(\w+)>|\$(\d{1,2})|\$(&)|\$\{(\w+)\}|\\(\\)/g;

function replacementPieces(replacement: string): Piece[] {
  const pieces: Piece[] = [];
  let position = 0;
  for (const match of replacement.matchAll(GROUP)) {
    const [whole, digit, named, dollar, all, braced] = match;
    const group = digit ?? named ?? dollar ?? braced ?? (all === undefined ? undefined : '0');
    pieces.push(replacement.slice(position, match.index), group === undefined ? '\\' : { group });
    position = match.index + whole.length;
  }
  pieces.push(replacement.slice(position));
  return pieces;
}
