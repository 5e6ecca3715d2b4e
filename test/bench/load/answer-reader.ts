/** Reads HTTP answers from one connection, each with a `Content-Length`, one after the other. */
export function createAnswerReader(onAnswer: (status: number) => void): (chunk: Buffer) => void {
  let rest: Buffer | undefined;
  return (chunk) => {
    const bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
    const answer = firstAnswer(bytes);
    rest = answer === undefined ? bytes : undefined;
    if (answer === undefined) return;
    if (answer.end !== bytes.length) throw new Error('More came than was asked for');
    onAnswer(answer.status);
  };
}

/** Undefined: it is not all there yet. */
function firstAnswer(bytes: Buffer): { status: number; end: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const [, length] = /\ncontent-length: *(\d+)/i.exec(head) ?? [];
  if (length === undefined) throw new Error(`An answer without Content-Length: ${head}`);
  const end = headEnd + 4 + Number(length);
  return bytes.length < end ? undefined : { status: Number(head.slice(9, 12)), end };
}
