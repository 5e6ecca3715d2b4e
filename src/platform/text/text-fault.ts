/** A fault of a text that a person wrote: what is wrong, and in which line, counted from 1. */
export class TextFault extends Error {
  readonly line: number;

  /** @param at the index in `text` where the fault begins. */
  constructor(message: string, text: string, at: number) {
    super(message);
    this.name = 'TextFault';
    this.line = lineAt(text, at);
  }
}

function lineAt(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) line += 1;
  return line;
}
