import type { CharSet } from './characters/char-set.js';
import { compileProgram } from './program/compile-pattern.js';
import { Matcher } from './search/matcher.js';
import { PatternError } from './pattern-error.js';
import { programSize, type Program, type StartHint } from './program/program.js';
import { readPattern } from './reading/read-pattern.js';
import { refuseEndless } from './reading/refuse-endless.js';
import { afterCharacter, type TextSpan } from './search/text-places.js';

const FAILS = -1;
/** Each group has registers for every search. */
const MAX_GROUPS = 200;

/** A pattern in Ruby's syntax, on a backtracking engine of bounded time. */
export interface RubyPattern {
  /** Number of instructions: what a search costs for each character at most, unless it has back references or calls. */
  size: number;
  /** About how many bytes it takes. */
  bytes: number;
  groupNames: readonly (string | undefined)[];
  /**
   * Finds every match from the left, as Ruby's `String#scan` does.
   * @param checkTime throws when the time is up; called about once in 2,000 steps.
   * @throws PatternError if a search needs too much memory.
   */
  matches(text: string, checkTime: () => void): Iterable<RubyMatch>;
}

/** A match; valid until the next one is looked for. */
export interface RubyMatch extends TextSpan {
  /** Text of a group by number: 0 is the whole match; null for a group that did not match or does not exist. */
  group: (number: number) => string | null;
}

interface PatternOptions {
  /** Characters that `.` matches; default: all but a line feed. */
  dot?: CharSet;
  maxInstructions: number;
}

/** Measured size of a compiled pattern: the minimum, for each instruction and for each set. */
const PATTERN_BYTES = 2_000;
const INSTRUCTION_BYTES = 150;
const SET_BYTES = 700;

/**
 * Compiles a pattern with Ruby's meaning (Onigmo, for text in Unicode).
 * @throws PatternError if it is not valid, has more than 200 groups or is too large.
 */
export function compileRubyPattern(source: string, options: PatternOptions): RubyPattern {
  const { dot, maxInstructions } = options;
  const tree = readPattern(source, dot);
  if (tree.groupNames.length > MAX_GROUPS) throw new PatternError(`it has more than ${MAX_GROUPS} groups`);
  refuseEndless(tree);
  const program = compileProgram(tree, maxInstructions);
  const size = programSize(program);
  return {
    size,
    bytes: PATTERN_BYTES + size * INSTRUCTION_BYTES + program.sets.length * SET_BYTES,
    groupNames: program.groupNames,
    matches: (text, checkTime) => matchesOf(program, text, checkTime),
  };
}

function* matchesOf(program: Program, text: string, checkTime: () => void): Generator<RubyMatch> {
  const matcher = new Matcher(program, text, checkTime);
  const { required } = program.start;
  let requiredAt = FAILS;
  const group = (number: number): string | null => {
    const place = number === 0 ? matcher.match : matcher.groupPlace(number);
    return place === undefined ? null : text.slice(place.start, place.end);
  };
  for (let from = 0; from <= text.length; ) {
    if (requiredAt < from) requiredAt = text.indexOf(required, from);
    if (requiredAt < 0) return;
    if (!findFrom(matcher, { text, from, hint: program.start })) return;
    const { start, end } = matcher.match;
    yield { start, end, group };
    from = end > start ? end : afterCharacter(text, end);
  }
}

interface Search {
  text: string;
  from: number;
  hint: StartHint;
}

/** Looks for the first match from a place on; the matcher then has it. */
function findFrom(matcher: Matcher, { text, from, hint }: Search): boolean {
  const { literal, first, atTextStart } = hint;
  for (let at = from; at <= text.length; at = afterCharacter(text, at)) {
    if (literal !== '') {
      at = text.indexOf(literal, at);
      if (at < 0) return false;
    }
    matcher.countSteps(1);
    if (first !== undefined && !first.has(text.codePointAt(at) ?? FAILS)) continue;
    if (matcher.matchesAt(at, from)) return true;
    if (atTextStart) return false;
  }
  return false;
}
