/** A pattern that cannot be read, or whose search needs too much memory; the message says why. */
export class PatternError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PatternError';
  }
}
