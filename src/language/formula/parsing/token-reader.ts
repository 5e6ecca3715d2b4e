import type { FormulaToken } from './lexer.js';

/** Reads tokens in order; the last one, `end`, is returned repeatedly. */
export class TokenReader {
  readonly #tokens: FormulaToken[];
  #position = 0;

  constructor(tokens: FormulaToken[]) {
    this.#tokens = tokens;
  }

  get next(): FormulaToken {
    return this.#ahead(0);
  }

  take(): FormulaToken {
    const token = this.next;
    this.#position += 1;
    return token;
  }

  /** Undoes the last `take`. */
  back(): void {
    this.#position -= 1;
  }

  /** Returns true if the token `ahead` positions after the next one is this mark. */
  isMark(text: string, ahead = 0): boolean {
    const token = this.#ahead(ahead);
    return token.kind === 'mark' && token.text === text;
  }

  /**
   * Reads the keys after a dot: a name, a number (`.0.1` is one number), a quoted text, or a name in braces, a placeholder
   * that the author has not replaced (`CREDENTIAL.{my-key}`). Returns none if there is no key.
   */
  takeKeys(): string[] {
    const token = this.next;
    if (token.kind === 'number') {
      this.take();
      const keys = token.text.split('.');
      // `.4xx` is one key, although its characters form a number and a name.
      const isGlued = this.next.kind === 'name' && this.next.at === token.end;
      return isGlued ? [...keys.slice(0, -1), (keys.at(-1) ?? '') + this.take().text] : keys;
    }
    if (token.kind === 'name' || token.kind === 'string') return [this.take().text];
    if (!this.isMark('{')) return [];
    let name = '';
    while (!this.isMark('}') && this.next.kind !== 'end') name += this.take().text;
    return [name + this.take().text];
  }

  #ahead(count: number): FormulaToken {
    const token = this.#tokens[Math.min(this.#position + count, this.#tokens.length - 1)];
    if (token === undefined) throw new Error('The token list has no end token');
    return token;
  }
}
