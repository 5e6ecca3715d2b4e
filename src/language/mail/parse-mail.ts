import { createHash } from 'node:crypto';
import type { JsonObject } from '../../platform/json.js';
import { TemplateError } from '../template-error.js';
import { parseDate } from '../dates/parse-date.js';
import {
  headerObject,
  headerText,
  latin1Of,
  type MimeHeader,
  parameterised,
  readHeaders,
} from './mime-headers.js';
import { decodeLeniently } from '../../platform/text/charsets/decode-bytes.js';
import { decodeQuotedPrintable } from './mime-words.js';

const MAX_DEPTH = 20;
const MAX_PARTS = 500;
const MAX_ADDRESS_CHARACTERS = 20_000;

interface Attachment extends JsonObject {
  filename: string;
  content_type: string;
  sizeinbytes: number;
  base64encodedcontents: string;
  md5: string;
  sha1: string;
  sha256: string;
}

interface Found {
  /** Throws when the time limit is over. */
  checkTime: () => void;
  plain: string[];
  html: string[];
  attachments: Attachment[];
  parts: number;
}

/**
 * Parses a mail (`.eml`) to an object: `{from, to, cc, subject, date, message_id, headers, body, text, html,
 * attachments}`. `from` is the bare address, `to` and `cc` lists of addresses; `body` is the text, or the HTML
 * if there is no text. For a text that is not a mail the fields are empty.
 */
export function parseMail(text: string, checkTime: () => void): JsonObject {
  const source = latin1Of(text);
  const { headers } = readHeaders(source, checkTime);
  const found: Found = { checkTime, plain: [], html: [], attachments: [], parts: 0 };
  collect(source, found, 0);
  const [plain, html] = [found.plain.join('\n'), found.html.join('\n')];
  return {
    from: addressesOf(headers, 'from')[0] ?? '',
    to: addressesOf(headers, 'to'),
    cc: addressesOf(headers, 'cc'),
    subject: headerText(headers, 'subject') ?? '',
    date: dateOf(headerText(headers, 'date')),
    message_id: (headerText(headers, 'message-id') ?? '').replace(/^<|>$/g, ''),
    headers: headerObject(headers, checkTime),
    body: plain === '' ? html : plain,
    text: plain,
    html,
    attachments: found.attachments,
  };
}

function collect(source: string, found: Found, depth: number): void {
  found.parts += 1;
  found.checkTime();
  if (depth > MAX_DEPTH || found.parts > MAX_PARTS) throw new TemplateError('the mail has too many parts');
  const { headers, bodyStart } = readHeaders(source, found.checkTime);
  const content = source.slice(bodyStart);
  const { value: type, parameters } = parameterised(headers, 'content-type');
  const boundary = parameters.get('boundary');
  if (type.startsWith('multipart/') && boundary !== undefined && boundary !== '') {
    for (const part of partsOf(content, boundary, found.checkTime)) collect(part, found, depth + 1);
    return;
  }
  addLeaf(headers, decodedContent(headers, content), found);
}

/** Yields the parts between the lines `--boundary`, up to `--boundary--`. */
function* partsOf(content: string, boundary: string, checkTime: () => void): Generator<string> {
  const lines = content.matchAll(/^--([^\r\n]{1,200})\r?$/gm);
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
  if (encoding === 'base64') return Buffer.from(content, 'base64');
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(content);
  return Buffer.from(content, 'latin1');
}

function addLeaf(headers: readonly MimeHeader[], bytes: Buffer, found: Found): void {
  const { value, parameters } = parameterised(headers, 'content-type');
  // A multipart without a boundary cannot be split, so it is read as text.
  const type = value === '' || value.startsWith('multipart/') ? 'text/plain' : value;
  const disposition = parameterised(headers, 'content-disposition');
  const filename = disposition.parameters.get('filename') ?? parameters.get('name');
  const isText = type === 'text/plain' || type === 'text/html';
  if (isText && disposition.value !== 'attachment' && filename === undefined) {
    const text = decodeLeniently(bytes, parameters.get('charset')).split('\r\n').join('\n');
    (type === 'text/html' ? found.html : found.plain).push(text);
    return;
  }
  found.attachments.push(attachmentOf(filename ?? nameless(type), type, bytes));
}

/** A forwarded mail seldom has a name, and stories check for `.eml`. */
function nameless(type: string): string {
  return type === 'message/rfc822' ? 'message.eml' : '';
}

function attachmentOf(filename: string, type: string, bytes: Buffer): Attachment {
  const digest = (hash: string) => createHash(hash).update(bytes).digest('hex');
  return {
    filename,
    content_type: type,
    sizeinbytes: bytes.length,
    base64encodedcontents: bytes.toString('base64'),
    md5: digest('md5'),
    sha1: digest('sha1'),
    sha256: digest('sha256'),
  };
}

/** Returns the bare addresses of a header: `"Lee, A" <a@b.c>, d@e.f` → `a@b.c`, `d@e.f`. */
function addressesOf(headers: readonly MimeHeader[], name: string): string[] {
  const text = (headerText(headers, name) ?? '')
    .slice(0, MAX_ADDRESS_CHARACTERS)
    .replace(/"(?:[^"\\]|\\.)*"/g, '');
  return text
    .split(/[,;]/)
    .map((part) => /<([^<>]*)>/.exec(part)?.[1] ?? part.replace(/^[^:]*:/, '').replace(/\([^()]*\)/g, ''))
    .map((address) => address.trim())
    .filter((address) => address.includes('@'));
}

/** Returns the date as ISO 8601 in UTC; a date that cannot be parsed stays unchanged. */
function dateOf(text: string | undefined): string {
  if (text === undefined) return '';
  const time = parseDate(text, 0);
  return time === undefined ? text : new Date(time.epochMs).toISOString().replace('.000Z', 'Z');
}
