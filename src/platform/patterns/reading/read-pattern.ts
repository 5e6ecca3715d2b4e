import { caseVariants } from '../characters/case-folding.js';
import { CharSet, complementOf, setOf } from '../characters/char-set.js';
import { GroupList } from './group-list.js';
import { PatternError } from '../pattern-error.js';
import type { AssertKind, PatternNode, PatternTree } from './pattern-node.js';
import { PatternScanner, type ReadingOptions } from './pattern-scanner.js';
import { readClass } from './read-class.js';
import { readCodeEscape, readSetEscape } from './read-escape.js';
import { readQuantifiers } from './read-quantifier.js';

const MAX_DEPTH = 250;
const LINE_FEED = 0x0a;
const NOT_LINE_FEED = complementOf(setOf(LINE_FEED));
const ANY = new CharSet(() => true);
/** `\R` takes a pair of CR and LF together, and does not give the LF back. */
const LINE_BREAK = new CharSet((code) => (code >= 10 && code <= 13) || [0x85, 0x2028, 0x2029].includes(code));
const EMPTY: PatternNode = { type: 'sequence', items: [] };

const PLACES: Record<string, AssertKind> = {
  A: 'text start',
  z: 'text end',
  Z: 'text end or last line break',
  G: 'search start',
};

/**
 * Reads a pattern in Ruby's syntax (Onigmo's, for text in Unicode).
 * @throws PatternError in Ruby's words if it is not valid, and for the absent operator `(?~…)`.
 */
export function readPattern(source: string, dot?: CharSet): PatternTree {
  return new PatternReader(source, dot).read();
}

class PatternReader {
  readonly #scanner: PatternScanner;
  readonly #groups = new GroupList();
  readonly #dot: CharSet;
  #depth = 0;

  constructor(source: string, dot = NOT_LINE_FEED) {
    this.#scanner = new PatternScanner(source);
    this.#dot = dot;
  }

  read(): PatternTree {
    const root = this.#choice({
      ignoreCase: false,
      dotAll: false,
      spaced: false,
      asciiEscapes: true,
      asciiBrackets: false,
      asciiWords: false,
    });
    if (!this.#scanner.isAtEnd) throw new PatternError('unmatched close parenthesis');
    return this.#groups.finish(root);
  }

  /** Reads alternatives up to a closing bracket, which is not read, or the end. */
  #choice(options: ReadingOptions): PatternNode {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new PatternError('groups nested too deeply');
    const branches: PatternNode[] = [];
    do branches.push(this.#sequence(options));
    while (this.#scanner.skips('|'));
    this.#depth -= 1;
    const [only = EMPTY] = branches;
    return branches.length === 1 ? only : { type: 'choice', branches };
  }

  #sequence(options: ReadingOptions): PatternNode {
    const items: PatternNode[] = [];
    for (;;) {
      skipIgnored(this.#scanner, options);
      if (this.#scanner.isAtEnd || this.#scanner.sees('|') || this.#scanner.sees(')')) break;
      const atoms = this.#atoms(options);
      const last = atoms.at(-1);
      items.push(...atoms.slice(0, -1));
      if (last !== undefined) items.push(this.#quantified(last, options));
    }
    const [only = EMPTY] = items;
    return items.length === 1 ? only : { type: 'sequence', items };
  }

  #quantified(atom: PatternNode, options: ReadingOptions): PatternNode {
    return readQuantifiers(this.#scanner, atom, () => skipIgnored(this.#scanner, options));
  }

  /** Reads the next part; several if an escape stands for several characters. */
  #atoms(options: ReadingOptions): PatternNode[] {
    const scanner = this.#scanner;
    if (scanner.skips('(')) return [this.#group(options)];
    if (scanner.skips('[')) return [{ type: 'set', set: readClass(scanner, options) }];
    if (scanner.skips('.')) return [{ type: 'set', set: options.dotAll ? ANY : this.#dot }];
    if (scanner.skips('^')) return [{ type: 'assert', kind: 'line start' }];
    if (scanner.skips('$')) return [{ type: 'assert', kind: 'line end' }];
    if (scanner.skips('\\')) return this.#escape(options);
    if (scanner.takes(/[*+?]|\{(?:\d+(?:,\d*)?|,\d+)\}/y) !== undefined) {
      throw new PatternError('target of repeat operator is not specified');
    }
    return [charNode(scanner.next('end of pattern'), options)];
  }

  #escape(options: ReadingOptions): PatternNode[] {
    const scanner = this.#scanner;
    const [place] = scanner.takes(/[AzZG]/y) ?? [];
    const kind = place === undefined ? undefined : PLACES[place];
    if (kind !== undefined) return [{ type: 'assert', kind }];
    if (scanner.skips('b')) return [wordPlace('word boundary', options)];
    if (scanner.skips('B')) return [wordPlace('no word boundary', options)];
    if (scanner.skips('K')) return [{ type: 'keep' }];
    if (scanner.skips('X')) return [{ type: 'grapheme' }];
    if (scanner.skips('R')) return [lineBreak()];
    const reference = readReference(scanner, this.#groups, options);
    if (reference !== undefined) return [reference];
    const set = readSetEscape(scanner, options);
    if (set !== undefined) return [{ type: 'set', set }];
    return readCodeEscape(scanner).map((code) => charNode(code, options));
  }

  /** Reads a group after its opening bracket. */
  #group(options: ReadingOptions): PatternNode {
    const scanner = this.#scanner;
    if (!scanner.skips('?')) return this.#capture(options);
    if (scanner.skips(':')) return this.#body(options);
    if (scanner.skips('>')) return { type: 'atomic', body: this.#body(options) };
    const [look] = scanner.takes(/<?[=!]/y) ?? [];
    if (look !== undefined) {
      const [behind, negated] = [look.startsWith('<'), look.endsWith('!')];
      return { type: 'look', behind, negated, body: this.#body(options) };
    }
    // `(?P<name>…)` is how other languages write it.
    const named = scanner.takes(/P?<([^>]*)>|'([^']*)'/y);
    if (named !== undefined) return this.#capture(options, named[1] ?? named[2] ?? '');
    if (scanner.skips('(')) return this.#condition(options);
    if (scanner.skips('~')) throw new PatternError('the absent operator (?~…) is not supported');
    return this.#optionGroup(options);
  }

  #capture(options: ReadingOptions, name?: string): PatternNode {
    const group = this.#groups.open(name);
    return { type: 'group', group, body: this.#body(options) };
  }

  #body(options: ReadingOptions): PatternNode {
    const body = this.#choice(options);
    if (!this.#scanner.skips(')')) throw new PatternError('end pattern with unmatched parenthesis');
    return body;
  }

  /** `(?(1)yes|no)`, `(?(<name>)yes|no)`. */
  #condition(options: ReadingOptions): PatternNode {
    const [, bare, angled, quoted] = this.#scanner.takes(/(?:([+-]?\d+)|<([^>]+)>|'([^']+)')\)/y) ?? [];
    const name = bare ?? angled ?? quoted;
    if (name === undefined) throw new PatternError('invalid conditional pattern');
    const reference = this.#groups.refer(name, options);
    const body = this.#body(options);
    const [yes = EMPTY, no = EMPTY, ...others] = body.type === 'choice' ? body.branches : [body];
    if (others.length > 0) throw new PatternError('invalid conditional pattern');
    return { type: 'condition', reference, yes, no };
  }

  /** `(?i)` holds up to the end of the group that it stands in, alternatives included; `(?i:…)` for its own content. */
  #optionGroup(options: ReadingOptions): PatternNode {
    const [, on = '', off = '', end] = this.#scanner.takes(/([imxadu]*)(?:-([imx]*))?([:)])/y) ?? [];
    if (end === undefined) throw new PatternError('undefined group option');
    const changed = { ...options };
    for (const letter of on) setOption(changed, letter, true);
    for (const letter of off) setOption(changed, letter, false);
    return end === ':' ? this.#body(changed) : this.#choice(changed);
  }
}

function setOption(options: ReadingOptions, letter: string, value: boolean): void {
  if (letter === 'i') options.ignoreCase = value;
  else if (letter === 'm') options.dotAll = value;
  else if (letter === 'x') options.spaced = value;
  else {
    options.asciiEscapes = letter !== 'u';
    options.asciiBrackets = letter === 'a';
    options.asciiWords = letter === 'a';
  }
}

/** Skips comments `(?#…)` and, after `(?x)`, white space and `# …`. */
function skipIgnored(scanner: PatternScanner, { spaced }: ReadingOptions): void {
  for (;;) {
    if (spaced && scanner.takes(/(?:[ \t\n\v\f\r]+|#[^\n]*)+/y) !== undefined) continue;
    if (!scanner.sees('(?#')) return;
    if (scanner.takes(/\(\?#(?:[^\\)]|\\[\s\S])*\)/y) === undefined)
      throw new PatternError('end pattern in group');
  }
}

function charNode(code: number, { ignoreCase }: ReadingOptions): PatternNode {
  const variants = ignoreCase ? caseVariants(code) : [code];
  return variants.length === 1 ? { type: 'char', code } : { type: 'char', code, variants };
}

function wordPlace(kind: 'word boundary' | 'no word boundary', { asciiWords }: ReadingOptions): PatternNode {
  const asciiKind = kind === 'word boundary' ? 'ASCII word boundary' : 'no ASCII word boundary';
  return { type: 'assert', kind: asciiWords ? asciiKind : kind };
}

function lineBreak(): PatternNode {
  const pair: PatternNode = {
    type: 'sequence',
    items: [
      { type: 'char', code: 13 },
      { type: 'char', code: 10 },
    ],
  };
  return { type: 'atomic', body: { type: 'choice', branches: [pair, { type: 'set', set: LINE_BREAK }] } };
}

/**
 * Reads a reference to a group (`\1`, `\k<name>`) or a call of one (`\g<name>`), after its backslash.
 * Returns undefined if there is none; nothing was read then.
 */
function readReference(
  scanner: PatternScanner,
  groups: GroupList,
  options: { ignoreCase: boolean },
): PatternNode | undefined {
  const number = numberHere(scanner, groups);
  if (number !== undefined) return groups.refer(number, options);
  const [, letter, angled, quoted] = scanner.takes(/([kg])(?:<([^>]*)>|'([^']*)')/y) ?? [];
  const name = angled ?? quoted;
  if (name === undefined) return undefined;
  if (name === '') throw new PatternError('group name is empty');
  if (letter === 'g') return groups.call(name);
  if (/.[+-]\d+$/.test(name)) throw new PatternError(`the level of a reference, <${name}>, is not supported`);
  return groups.refer(name, options);
}

/** `\12` is a reference if it has one digit, or so many groups have come; otherwise an octal number. */
function numberHere(scanner: PatternScanner, groups: GroupList): string | undefined {
  const [digits] = scanner.takes(/[1-9]\d*/y) ?? [];
  if (digits === undefined) return undefined;
  if (digits.length === 1 || Number(digits) <= groups.count) return digits;
  scanner.at -= digits.length;
  return undefined;
}
