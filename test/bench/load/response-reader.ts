/** Reads HTTP answers from one connection, each with a `Content-Length`, one after the other; `read` gives the body's text. */
export function createAnswerReader(
  onAnswer: (status: number, read: () => string) => void,
): (chunk: Buffer) => void {
  let rest: Buffer | undefined;
  return (chunk) => {
    const bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
    const answer = firstAnswer(bytes);
    rest = answer === undefined ? bytes : undefined;
    if (answer === undefined) return;
    if (answer.end !== bytes.length) throw new Error('More came than was asked for');
    onAnswer(answer.status, () => bytes.toString('utf8', answer.bodyAt));
  };
}

/** Undefined: it is not all there yet. */
function firstAnswer(bytes: Buffer): { status: number; bodyAt: number; end: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const [, length] = /\ncontent-length: *(\d+)/i.exec(head) ?? [];
  if (length === undefined) throw new Error(`An answer without Content-Length: ${head}`);
  const bodyAt = headEnd + 4;
  const end = bodyAt + Number(length);
  return bytes.length < end ? undefined : { status: Number(head.slice(9, 12)), bodyAt, end };
}
