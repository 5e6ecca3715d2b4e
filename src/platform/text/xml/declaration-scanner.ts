import { XmlError } from './xml-error.js';
import { NAME, NAME_CHARACTER } from './xml-names.js';

const SPACE = /[ \t\r\n]+/y;
const NAME_PATTERN = new RegExp(NAME, 'uy');
const TOKEN_PATTERN = new RegExp(`${NAME_CHARACTER}+`, 'uy');
const PUBLIC_LITERAL = /"[ \r\na-zA-Z0-9'()+,./:=?;!*#@$_%-]*"|'[ \r\na-zA-Z0-9()+,./:=?;!*#@$_%-]*'/y;
const LITERAL = /"[^"]*"|'[^']*'/y;
const OCCURRENCE = /[?*+]/y;
const SEPARATOR = /[,|]/y;
const MAX_SHOWN = 40;

/** Reads the parts of declarations of a document type one after the other (XML 1.0). */
export class DeclarationScanner {
  #at = 0;

  constructor(readonly text: string) {}

  get isAtEnd(): boolean {
    return this.#at >= this.text.length;
  }

  /** Returns what the pattern (flag `y`) matches here and goes behind it; undefined if it does not match. */
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  takeText(expected: string): boolean {
    if (!this.text.startsWith(expected, this.#at)) return false;
    this.#at += expected.length;
    return true;
  }

  takeSpace(): boolean {
    return this.take(SPACE) !== undefined;
  }

  /** @throws XmlError if the text does not go on with `expected`. */
  need(expected: string): void {
    if (!this.takeText(expected)) this.fail(`"${expected}" is missing`);
  }

  needSpace(): void {
    if (!this.takeSpace()) this.fail('white space is missing');
  }

  needName(): string {
    return this.take(NAME_PATTERN) ?? this.fail('a name is missing');
  }

  needToken(): string {
    return this.take(TOKEN_PATTERN) ?? this.fail('a name is missing');
  }

  /** Returns a text in quotes, without them. */
  needLiteral(): string {
    return (this.take(LITERAL) ?? this.fail('a text in quotes is missing')).slice(1, -1);
  }

  /** Reads the end of a declaration. */
  needEnd(): void {
    this.takeSpace();
    this.need('>');
  }

  /** Reads the text up to `end`, and `end`. */
  needUntil(end: string): string {
    const at = this.text.indexOf(end, this.#at);
    if (at === -1) this.fail(`"${end}" is missing`);
    const found = this.text.slice(this.#at, at);
    this.#at = at + end.length;
    return found;
  }

  /** Reads `SYSTEM "…"` or `PUBLIC "…" "…"`; of a notation also `PUBLIC "…"`. Returns false if there is none. */
  takeExternalId({ publicAlone = false } = {}): boolean {
    if (this.takeText('SYSTEM')) {
      this.needSpace();
      this.needLiteral();
      return true;
    }
    if (!this.takeText('PUBLIC')) return false;
    this.needSpace();
    if (this.take(PUBLIC_LITERAL) === undefined) this.fail('a public identifier is missing');
    const hasSpace = this.takeSpace();
    const hasSystem = this.take(LITERAL) !== undefined;
    if (!hasSystem && !publicAlone) this.fail('a system identifier is missing');
    if (hasSystem && !hasSpace) this.fail('white space is missing');
    return true;
  }

  /** Reads a list of names in parentheses, `|` between them, behind the opening parenthesis. */
  needNames(nameOf: () => string): void {
    do {
      this.takeSpace();
      nameOf();
      this.takeSpace();
    } while (this.takeText('|'));
    this.need(')');
  }

  /** Reads what an element may contain: `EMPTY`, `ANY`, `(#PCDATA|a)*` or a model such as `(a,(b|c)+)`. */
  needContent(): void {
    if (this.takeText('EMPTY') || this.takeText('ANY')) return;
    this.need('(');
    this.takeSpace();
    if (this.takeText('#PCDATA')) this.#needMixed();
    else this.#needModel();
  }

  fail(reason: string): never {
    const rest = this.text.slice(this.#at, this.#at + MAX_SHOWN).trim();
    throw new XmlError(
      `not well-formed, in the document type: ${reason}${rest === '' ? ' at its end' : ` before "${rest}"`}`,
    );
  }

  #needMixed(): void {
    this.takeSpace();
    let names = 0;
    for (; this.takeText('|'); names += 1) {
      this.takeSpace();
      this.needName();
      this.takeSpace();
    }
    this.need(')');
    if (!this.takeText('*') && names > 0) this.fail('"*" is missing');
  }

  /** Each open parenthesis has one separator, `,` or `|`, once it has two members. */
  #needModel(): void {
    const separators: (string | undefined)[] = [undefined];
    while (separators.length > 0) {
      this.takeSpace();
      if (this.takeText('(')) {
        separators.push(undefined);
        continue;
      }
      this.needName();
      this.take(OCCURRENCE);
      this.takeSpace();
      while (separators.length > 0 && this.takeText(')')) {
        separators.pop();
        this.take(OCCURRENCE);
        if (separators.length > 0) this.takeSpace();
      }
      if (separators.length > 0) this.#needSeparator(separators);
    }
  }

  #needSeparator(separators: (string | undefined)[]): void {
    const separator = this.take(SEPARATOR) ?? this.fail('"," or "|" is missing');
    if ((separators.at(-1) ?? separator) !== separator) this.fail('"," and "|" stand in one list');
    separators[separators.length - 1] = separator;
  }
}
