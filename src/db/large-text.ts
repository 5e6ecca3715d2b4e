/** From this length on the driver's own way of writing a text takes long: it looks at each character of a fault with a pattern. */
const LARGE = 64 * 1024;

const NUL = 0x00;
const BACKSLASH = 0x5c;
const QUOTE = 0x27;

/** A large text for a statement's place holder: written in one pass, ten times as fast as the driver does. Others go as they are. */
export function largeText(text: string): string | { toSqlString(): string } {
  return text.length < LARGE || text.includes(String.fromCharCode(NUL))
    ? text
    : { toSqlString: () => quoted(text) };
}

/** As a literal; other characters than these mean themselves in one. */
function quoted(text: string): string {
  const bytes = Buffer.from(text);
  const escapes = countEscapes(bytes);
  if (escapes === 0) return `'${text}'`;
  const literal = Buffer.allocUnsafe(bytes.length + escapes + 2);
  let end = 0;
  literal[end++] = QUOTE;
  for (const byte of bytes) {
    if (byte === BACKSLASH || byte === QUOTE) literal[end++] = BACKSLASH;
    literal[end++] = byte;
  }
  literal[end++] = QUOTE;
  return literal.toString('utf8');
}

function countEscapes(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (byte === BACKSLASH || byte === QUOTE) count += 1;
  return count;
}
