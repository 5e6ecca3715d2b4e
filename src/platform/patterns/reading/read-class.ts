import { ignoringCase } from '../characters/case-folding.js';
import {
  type CharSet,
  complementOf,
  intersectionOf,
  rangesOf,
  setOf,
  unionOf,
} from '../characters/char-set.js';
import { posixSet } from '../characters/named-sets.js';
import { PatternError } from '../pattern-error.js';
import type { PatternScanner, ReadingOptions } from './pattern-scanner.js';
import { readCodeEscape, readSetEscape } from './read-escape.js';

const MAX_DEPTH = 100;
/** Most sets (`\p{L}`, `[:alpha:]`, classes) that a class unites: each of them may be asked for a character. */
const MAX_SETS = 200;
const BACKSPACE = 8;
const NONE = setOf();
const PREMATURE_END = 'premature end of char-class';
/** A hyphen that makes a range: neither the last character of a class nor of one side of `&&`. */
const HYPHEN = /-(?!\]|&&)/y;

/** A part of a class: a set, or characters, the last of which may begin a range. */
type ClassPart = { set: CharSet; across: CharSet } | number[];

/** An operand of `&&`: characters and sets that are united. */
interface Union {
  ranges: [number, number][];
  sets: Set<CharSet>;
  /** The sets without those of `\w` and the like, for `ignoringCase`. */
  across: Set<CharSet>;
}

/** Reads a class with the classes in it, after its `[`: `a-z]`, `^…]`, `a-z&&[^aeiou]]`. @throws PatternError */
export function readClass(scanner: PatternScanner, options: ReadingOptions): CharSet {
  const { content, across, negated } = readContent(scanner, options, 1);
  const folded = options.ignoreCase ? ignoringCase(content, across) : content;
  return negated ? complementOf(folded) : folded;
}

interface Content {
  content: CharSet;
  across: CharSet;
  negated: boolean;
}

function readContent(scanner: PatternScanner, options: ReadingOptions, depth: number): Content {
  if (depth > MAX_DEPTH) throw new PatternError('char-classes nested too deeply');
  const negated = scanner.skips('^');
  const unions: Union[] = [];
  let union = emptyUnion();
  if (scanner.sees(']')) skipFirstBracket(scanner, union);
  while (!scanner.skips(']')) {
    if (!scanner.skips('&&')) readRange(scanner, union, { options, depth });
    else {
      unions.push(union);
      union = emptyUnion();
    }
  }
  unions.push(union);
  return {
    content: intersectionOf(unions.map(({ ranges, sets }) => setOfUnion(ranges, sets))),
    across: intersectionOf(unions.map(({ ranges, across }) => setOfUnion(ranges, across))),
    negated,
  };
}

function emptyUnion(): Union {
  return { ranges: [], sets: new Set(), across: new Set() };
}

function setOfUnion(ranges: Union['ranges'], sets: ReadonlySet<CharSet>): CharSet {
  if (sets.size > MAX_SETS) throw new PatternError(`more than ${MAX_SETS} sets in a char-class`);
  return unionOf(ranges.length === 0 ? [...sets] : [rangesOf(ranges), ...sets]);
}

/** `[]a]`: a bracket that comes first is a character, if another one closes the class. */
function skipFirstBracket(scanner: PatternScanner, { ranges }: Union): void {
  const rest = scanner.source.slice(scanner.at + 1).replace(/\\[\s\S]/g, '');
  if (!rest.includes(']')) throw new PatternError('empty char-class');
  scanner.at += 1;
  ranges.push([0x5d, 0x5d]);
}

interface Reading {
  options: ReadingOptions;
  depth: number;
}

function readRange(scanner: PatternScanner, union: Union, reading: Reading): void {
  const { ranges } = union;
  const part = readPart(scanner, reading);
  if (!Array.isArray(part)) {
    // `[\w-z]` could mean a range or three things.
    if (scanner.takes(HYPHEN) !== undefined)
      throw new PatternError('unmatched range specifier in char-class');
    union.sets.add(part.set);
    union.across.add(part.across);
    return;
  }
  for (const code of part) ranges.push([code, code]);
  if (scanner.takes(HYPHEN) === undefined) return;
  const end = readPart(scanner, reading);
  if (!Array.isArray(end)) throw new PatternError('char-class value at end of range');
  const [first = 0, last = 0] = [part.at(-1), end[0]];
  if (last < first) throw new PatternError('empty range in char class');
  ranges.push([first, last]);
  for (const code of end.slice(1)) ranges.push([code, code]);
  // `[a-c-e]`: the second hyphen is a character.
  if (scanner.takes(HYPHEN) !== undefined) ranges.push([0x2d, 0x2d]);
}

function readPart(scanner: PatternScanner, { options, depth }: Reading): ClassPart {
  if (scanner.skips('\\')) {
    if (scanner.skips('b')) return [BACKSPACE];
    const isProperty = scanner.sees('p{') || scanner.sees('P{');
    // The whole class ignores case later.
    const set = readSetEscape(scanner, options, { ignoreCase: false });
    return set === undefined ? readCodeEscape(scanner) : { set, across: isProperty ? set : NONE };
  }
  const bracket = scanner.takes(/\[:(\^?)(\w{1,20}):\]/y);
  if (bracket !== undefined) {
    const [, not, name = ''] = bracket;
    const named = posixSet(name, { ascii: options.asciiBrackets });
    if (named === undefined) throw new PatternError(`invalid POSIX bracket type [:${name}:]`);
    const set = not === '' ? named : complementOf(named);
    return { set, across: set };
  }
  if (scanner.skips('[')) {
    const { content, across, negated } = readContent(scanner, options, depth + 1);
    return negated ? { set: complementOf(content), across: complementOf(across) } : { set: content, across };
  }
  return [scanner.next(PREMATURE_END)];
}
