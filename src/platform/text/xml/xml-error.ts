/** The text is not well-formed XML, or exceeds a limit; the message says why. */
export class XmlError extends Error {
  /** The text is too long, or has too many tags and attributes. */
  readonly tooLarge: boolean;

  constructor(message: string, options: { tooLarge?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'XmlError';
    this.tooLarge = options.tooLarge ?? false;
  }
}
