import { decode as decodeBase64 } from 'libbase64';
import { decode as decodeQuotedPrintable } from 'libqp';
import { TemplateError } from '../../platform/text/template-error.js';
import { latin1Of, type MimeHeader, parameterised, readHeaders } from './mime-headers.js';

const MAX_DEPTH = 20;
const MAX_PARTS = 500;

/** A part of a mail that holds no parts. */
export interface MimeLeaf {
  /** In lower case: `text/plain`. */
  type: string;
  charset: string | undefined;
  filename: string | undefined;
  /** Readers show it as a file, not as text of the mail. */
  isFile: boolean;
  /** The content, its transfer encoding undone. */
  bytes: Buffer;
}

interface Walk {
  /** Throws when the time limit is over. */
  checkTime: () => void;
  leaves: MimeLeaf[];
  parts: number;
}

/**
 * Returns the headers of a mail and its leaves in order (RFC 2046). Expects bytes as latin-1 text.
 * @throws TemplateError for a mail of too many parts, or when the time is over.
 */
export function readMail(
  latin1: string,
  checkTime: () => void,
): { headers: MimeHeader[]; leaves: MimeLeaf[] } {
  const walk: Walk = { checkTime, leaves: [], parts: 0 };
  const headers = visit(wholeMail(latin1), walk, { depth: 0, defaultType: 'text/plain' });
  return { headers, leaves: walk.leaves };
}

/** Leaves out empty lines and the `From ` line of a mailbox before the headers; lines may end in CR alone. */
function wholeMail(latin1: string): string {
  const start = /^\s*(?:From [^\r\n]{0,1000}(?:\r\n|\r|\n))?/.exec(latin1.slice(0, 100_000))?.[0].length ?? 0;
  const mail = latin1.slice(start);
  return mail.includes('\n') ? mail : withLineFeeds(mail);
}

/** `replaceAll` takes seconds for millions of line ends. */
function withLineFeeds(mail: string): string {
  const bytes = Buffer.from(mail, 'latin1');
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === 0x0d) bytes[at] = 0x0a;
  return bytes.toString('latin1');
}

function visit(
  source: string,
  walk: Walk,
  { depth, defaultType }: { depth: number; defaultType: string },
): MimeHeader[] {
  walk.parts += 1;
  walk.checkTime();
  if (depth > MAX_DEPTH || walk.parts > MAX_PARTS) throw new TemplateError('the mail has too many parts');
  const { headers, bodyStart } = readHeaders(source, walk.checkTime);
  const content = source.slice(bodyStart);
  const { value, parameters } = parameterised(headers, 'content-type');
  const isMultipart = value.startsWith('multipart/');
  const boundary = isMultipart ? latin1Of(parameters.get('boundary') ?? '').trimEnd() : '';
  if (boundary !== '') {
    const inside = {
      depth: depth + 1,
      defaultType: value === 'multipart/digest' ? 'message/rfc822' : 'text/plain',
    };
    let parts = 0;
    for (const part of partsOf(content, boundary, walk.checkTime)) {
      visit(part, walk, inside);
      parts += 1;
    }
    if (parts > 0) return headers;
  }
  // A multipart that cannot be split is read as text, so that nothing is lost.
  const type = isMultipart ? 'text/plain' : value || defaultType;
  if (!isMultipart || content.trim() !== '') walk.leaves.push(leafOf({ headers, type, parameters, content }));
  return headers;
}

interface LeafParts {
  headers: MimeHeader[];
  type: string;
  parameters: ReadonlyMap<string, string>;
  content: string;
}

function leafOf({ headers, type, parameters, content }: LeafParts): MimeLeaf {
  const disposition = parameterised(headers, 'content-disposition');
  const filename = disposition.parameters.get('filename') ?? parameters.get('name');
  const isText = type === 'text/plain' || type === 'text/html';
  return {
    type,
    charset: parameters.get('charset'),
    filename,
    isFile: !isText || filename !== undefined || disposition.value === 'attachment',
    bytes: decodedContent(headers, content),
  };
}

/** Yields the parts between the lines `--boundary`, up to `--boundary--` or the end. */
function* partsOf(content: string, boundary: string, checkTime: () => void): Generator<string> {
  const lines = content.matchAll(/^--([^\r\n]{1,1000})\r?$/gm);
  let start: number | undefined;
  for (const line of lines) {
    checkTime();
    const mark = (line[1] ?? '').trimEnd();
    if (mark !== boundary && mark !== `${boundary}--`) continue;
    if (start !== undefined) yield content.slice(start, line.index).replace(/\r?\n$/, '');
    if (mark !== boundary) return;
    start = line.index + line[0].length + 1;
  }
  if (start !== undefined) yield content.slice(start);
}

function decodedContent(headers: readonly MimeHeader[], content: string): Buffer {
  const encoding = parameterised(headers, 'content-transfer-encoding').value;
  if (encoding === 'base64') return decodeBase64(content);
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(content);
  return Buffer.from(content, 'latin1');
}
