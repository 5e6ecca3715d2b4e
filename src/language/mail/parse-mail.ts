import { createHash } from 'node:crypto';
import addressparser from 'nodemailer/lib/addressparser';
import type { JsonObject } from '../../platform/json.js';
import { decodeLeniently } from '../../platform/text/charsets/decode-bytes.js';
import { parseDate } from '../dates/parse-date.js';
import { headerObject, mimeHeaderText, latin1Of, type MimeHeader, rawMimeValues } from './mime-headers.js';
import { type MimeLeaf, readMail } from './mime-parts.js';

/** Most characters of all address headers of one name; the rest is ignored. */
const MAX_ADDRESS_CHARACTERS = 500_000;
const ENCODED_WORD = /=\?[^?\s]+\?[bq]\?/i;

interface Attachment extends JsonObject {
  filename: string;
  content_type: string;
  sizeinbytes: number;
  base64encodedcontents: string;
  md5: string;
  sha1: string;
  sha256: string;
}

/**
 * Parses a mail (`.eml`) to an object: `{from, to, cc, subject, date, message_id, headers, body, text, html,
 * attachments}`. `from` is the bare address, `to` and `cc` lists of addresses; `body` is the HTML, or the text if there
 * is no HTML. With `singleBody` false it has `body_html` and `body_text` instead of `body`.
 * @throws TemplateError for a mail of too many parts, or when the time is over.
 */
export function parseMail(text: string, checkTime: () => void, { singleBody = true } = {}): JsonObject {
  const { headers, leaves } = readMail(latin1Of(text), checkTime);
  const shown = leaves.filter(({ isFile }) => !isFile);
  const [plain, html] = [textOf(shown, 'text/plain'), textOf(shown, 'text/html')];
  return {
    from: addressesOf(headers, 'from', checkTime)[0] ?? '',
    to: addressesOf(headers, 'to', checkTime),
    cc: addressesOf(headers, 'cc', checkTime),
    subject: mimeHeaderText(headers, 'subject') ?? '',
    date: dateOf(mimeHeaderText(headers, 'date')),
    message_id: (mimeHeaderText(headers, 'message-id') ?? '').replace(/^<|>$/g, ''),
    headers: headerObject(headers, checkTime),
    ...(singleBody ? { body: html === '' ? plain : html } : { body_html: html, body_text: plain }),
    text: plain,
    html,
    attachments: leaves.filter(({ isFile }) => isFile).map(attachmentOf),
  };
}

function textOf(leaves: readonly MimeLeaf[], wanted: string): string {
  return leaves
    .filter(({ type }) => type === wanted)
    .map(({ bytes, charset }) => decodeLeniently(bytes, charset).split('\r\n').join('\n'))
    .join('\n');
}

function attachmentOf({ filename, type, bytes }: MimeLeaf): Attachment {
  const digest = (hash: string) => createHash(hash).update(bytes).digest('hex');
  return {
    filename: filename ?? nameless(type),
    content_type: type,
    sizeinbytes: bytes.length,
    base64encodedcontents: bytes.toString('base64'),
    md5: digest('md5'),
    sha1: digest('sha1'),
    sha256: digest('sha256'),
  };
}

/** A forwarded mail seldom has a name, and stories check for `.eml`. */
function nameless(type: string): string {
  return type === 'message/rfc822' ? 'message.eml' : '';
}

/** Returns the date as ISO 8601 in UTC; a date that cannot be parsed stays unchanged. */
function dateOf(text: string | undefined): string {
  if (text === undefined) return '';
  const time = parseDate(text, 0);
  return time === undefined ? text : new Date(time.epochMs).toISOString().replace('.000Z', 'Z');
}

/**
 * Returns the bare addresses of all headers of this name: `"Lee, A" <a@b.c>, d@e.f` → `a@b.c`, `d@e.f`. The list is split
 * before anything is decoded, since an encoded word is never an address or a separator (RFC 2047 §5).
 */
function addressesOf(headers: readonly MimeHeader[], name: string, checkTime: () => void): string[] {
  let room = MAX_ADDRESS_CHARACTERS;
  return rawMimeValues(headers, name).flatMap((raw) => {
    checkTime();
    const text = raw.slice(0, Math.max(0, room));
    room -= text.length;
    return addressparser(text, { flatten: true })
      .map(({ address }) => address)
      .filter((address) => address.includes('@') && !ENCODED_WORD.test(address));
  });
}
