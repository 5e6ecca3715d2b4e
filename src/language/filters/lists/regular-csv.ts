const QUOTE = '"';
const FIRST_PRINTED = 0x21;
const LAST_OF_ASCII = 0x7f;

/** How a CSV is read. */
interface CsvForm {
  delimiter: string;
  /** Lines that are read at most. */
  most: number;
  checkTime(): void;
}

/**
 * Returns the lines of a CSV whose quotes all stand round whole fields (RFC 4180); undefined for any other, which a tolerant
 * reader has to read. White space around a field does not count, and neither do empty lines.
 */
export function readRegularCsv(text: string, form: CsvForm): string[][] | undefined {
  return new RegularCsv(text, form).read();
}

/** Returns true for white space that does not count around a field; ends of lines do. */
function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code >= FIRST_PRINTED && code <= LAST_OF_ASCII) return false;
  const character = text.charAt(at);
  return character !== '\n' && character !== '\r' && /\s/.test(character);
}

/** The places of what comes next are kept, so that each character is looked at once or twice. */
class RegularCsv {
  readonly #text: string;
  readonly #form: CsvForm;
  #at = 0;
  #nextDelimiter = -1;
  #nextQuote = -1;
  #nextFeed = -1;
  #nextReturn = -1;

  constructor(text: string, form: CsvForm) {
    this.#text = text;
    this.#form = form;
    if (text.startsWith('\uFEFF')) this.#at = 1;
  }

  read(): string[][] | undefined {
    const rows: string[][] = [];
    while (this.#at < this.#text.length && rows.length < this.#form.most) {
      this.#form.checkTime();
      const row = this.#row();
      if (row === undefined) return undefined;
      if (row.length > 0) rows.push(row);
    }
    return rows;
  }

  /** Returns the fields of the next line, none if it is empty; undefined for quotes that are not round a whole field. */
  #row(): string[] | undefined {
    const row: string[] = [];
    for (;;) {
      const start = this.#afterSpaces(this.#at);
      const isQuoted = this.#text[start] === QUOTE;
      const field = isQuoted ? this.#quoted(start) : this.#plain(start);
      if (field === undefined) return undefined;
      const goesOn = this.#text.startsWith(this.#form.delimiter, this.#at) && this.#at < this.#text.length;
      const isBlank = !goesOn && row.length === 0 && field === '' && !isQuoted;
      if (!isBlank) row.push(field);
      if (!goesOn) {
        this.#leaveLine();
        return row;
      }
      this.#at += this.#form.delimiter.length;
    }
  }

  #plain(start: number): string | undefined {
    this.#nextDelimiter = this.#nextOf(this.#form.delimiter, this.#nextDelimiter, start);
    this.#nextFeed = this.#nextOf('\n', this.#nextFeed, start);
    this.#nextReturn = this.#nextOf('\r', this.#nextReturn, start);
    this.#nextQuote = this.#nextOf(QUOTE, this.#nextQuote, start);
    const end = Math.min(this.#nextDelimiter, this.#nextFeed, this.#nextReturn);
    if (this.#nextQuote < end) return undefined;
    this.#at = end;
    let last = end;
    while (last > start && isSpace(this.#text, last - 1)) last -= 1;
    return this.#text.slice(start, last);
  }

  #quoted(start: number): string | undefined {
    let close = this.#text.indexOf(QUOTE, start + 1);
    let hasDoubled = false;
    while (close >= 0 && this.#text[close + 1] === QUOTE) {
      hasDoubled = true;
      close = this.#text.indexOf(QUOTE, close + 2);
    }
    if (close < 0) return undefined;
    this.#at = this.#afterBlanks(close + 1);
    if (!this.#isAtEndOfField()) return undefined;
    const inside = this.#text.slice(start + 1, close);
    return hasDoubled ? inside.replaceAll('""', QUOTE) : inside;
  }

  #isAtEndOfField(): boolean {
    const next = this.#text[this.#at];
    const isEnd = next === undefined || next === '\n' || next === '\r';
    return isEnd || this.#text.startsWith(this.#form.delimiter, this.#at);
  }

  /** Other white space behind a closing quote is left to the tolerant reader. */
  #afterBlanks(start: number): number {
    let at = start;
    while (this.#text[at] === ' ' && !this.#text.startsWith(this.#form.delimiter, at)) at += 1;
    return at;
  }

  #afterSpaces(start: number): number {
    let at = start;
    while (isSpace(this.#text, at) && !this.#text.startsWith(this.#form.delimiter, at)) at += 1;
    return at;
  }

  #nextOf(wanted: string, known: number, from: number): number {
    if (known >= from) return known;
    const found = this.#text.indexOf(wanted, from);
    return found < 0 ? this.#text.length : found;
  }

  #leaveLine(): void {
    if (this.#text.startsWith('\r\n', this.#at)) this.#at += 2;
    else this.#at += 1;
  }
}
