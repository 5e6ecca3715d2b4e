import { PatternError } from '../pattern-error.js';

/** Options of the place that is being read: those of `(?imx)`, and what `(?a)` and `(?u)` say of `\w`, `[[:alpha:]]`, `\b`. */
export interface ReadingOptions {
  ignoreCase: boolean;
  /** `.` matches line breaks. */
  dotAll: boolean;
  /** White space and comments in the pattern have no meaning. */
  spaced: boolean;
  /** `\w`, `\d`, `\s` are ASCII: Ruby's default. */
  asciiEscapes: boolean;
  asciiBrackets: boolean;
  asciiWords: boolean;
}

/** Reads the characters of a pattern from left to right. */
export class PatternScanner {
  readonly source: string;
  at = 0;

  constructor(source: string) {
    this.source = source;
  }

  get isAtEnd(): boolean {
    return this.at >= this.source.length;
  }

  /** Returns true if the text continues with `expected`. */
  sees(expected: string): boolean {
    return this.source.startsWith(expected, this.at);
  }

  /** Skips `expected` if the text continues with it; returns whether it did. */
  skips(expected: string): boolean {
    if (!this.sees(expected)) return false;
    this.at += expected.length;
    return true;
  }

  /** Reads what a sticky expression matches here; undefined if it does not. */
  takes(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.at;
    const match = expression.exec(this.source);
    if (match === null) return undefined;
    this.at += match[0].length;
    return match;
  }

  /** Reads one character. @throws PatternError at the end of the pattern: `message`. */
  next(message: string): number {
    const code = this.source.codePointAt(this.at);
    if (code === undefined) throw new PatternError(message);
    this.at += code > 0xffff ? 2 : 1;
    return code;
  }
}
