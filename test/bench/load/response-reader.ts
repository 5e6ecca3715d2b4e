/** Reads HTTP answers from one connection, each with a `Content-Length`, one after the other; `read` gives the body's text. */
export function createResponseReader(
  onResponse: (status: number, read: () => string) => void,
): (chunk: Buffer) => void {
  let rest: Buffer | undefined;
  return (chunk) => {
    const bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
    const response = firstResponse(bytes);
    rest = response === undefined ? bytes : undefined;
    if (response === undefined) return;
    if (response.end !== bytes.length) throw new Error('More came than was asked for');
    onResponse(response.status, () => bytes.toString('utf8', response.bodyAt));
  };
}

/** Undefined: it is not all there yet. */
function firstResponse(bytes: Buffer): { status: number; bodyAt: number; end: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const [, length] = /\ncontent-length: *(\d+)/i.exec(head) ?? [];
  if (length === undefined) throw new Error(`An answer without Content-Length: ${head}`);
  const bodyAt = headEnd + 4;
  const end = bodyAt + Number(length);
  return bytes.length < end ? undefined : { status: Number(head.slice(9, 12)), bodyAt, end };
}
