import { isUtf8 } from 'node:buffer';
import type { HttpRequest } from '../../../platform/outbound/http-exchange.js';
import { HIDDEN } from '../../../platform/secrets/hidden-secrets.js';
import type { SentRequest } from '../../state/events/sent-request.js';
import type { OpenedSecrets } from '../opened-secrets.js';

/** Most characters of an address, of all headers together, and most bytes of a body. */
const MOST = 8 * 1024;
/** A scheme and a marker tell which credential was sent, and nothing of it. */
const NAMES_A_CREDENTIAL = /^(?:[\w-]+ )?\[credential [^\]]*\]$/;

interface Written {
  /** The request with its secrets. */
  sent: HttpRequest;
  /** Redact what is written; absent: there are none. */
  secrets?: OpenedSecrets;
  /** The body was too large to be built again. */
  leavesBodyOut?: boolean;
}

/** Returns the JSON of a request, its parts cut to a bounded size. Secrets are redacted first: a cut may hide one from that. */
export function writtenRequest(
  shown: HttpRequest,
  { sent, secrets, leavesBodyOut = false }: Written,
): string {
  const redacted = (text: string) => secrets?.redactText(text) ?? text;
  const url = redacted(shown.url);
  const headers = headersWithin(textHeaders(shown, sent).map((header) => header.map(redacted) as Header));
  const body = leavesBodyOut ? LEFT_OUT : bodyOf(shown.body, secrets && redacted);
  const isCut = { url: url.length > MOST, headers: headers.isCut, body: body.isCut };
  const request: SentRequest = {
    sent_at: new Date().toISOString(),
    method: shown.method,
    url: url.slice(0, MOST),
    headers: headers.kept,
    body: body.text,
    body_bytes: body.bytes,
    body_left_out: body.leftOut,
    truncated: (['url', 'headers', 'body'] as const).filter((part) => isCut[part]),
  };
  return JSON.stringify(request);
}

type Header = [name: string, value: string];

/** Returns the sent headers as text: their values hold UTF-8 bytes as latin1. What signs in is hidden, or a credential's name. */
function textHeaders({ headers }: HttpRequest, sent: HttpRequest): Header[] {
  const { authorization, ...others } = headers;
  const entries = Object.entries(others)
    .filter(([name]) => name in sent.headers)
    .map(([name, value]): Header => [name, textOfBytes(value)]);
  const signsIn = [authorization, sent.headers.authorization, sent.digest].some((way) => way !== undefined);
  if (!signsIn) return entries;
  const named = textOfBytes(authorization ?? '');
  return [['authorization', NAMES_A_CREDENTIAL.test(named) ? named : HIDDEN], ...entries];
}

const textOfBytes = (latin1: string) => Buffer.from(latin1, 'latin1').toString('utf8');

function headersWithin(headers: Header[]): { kept: Record<string, string>; isCut: boolean } {
  const kept: Header[] = [];
  let left = MOST;
  for (const [name, value] of headers) {
    left -= name.length;
    if (left < 0) break;
    kept.push([name, value.slice(0, left)]);
    left -= value.length;
    if (left < 0) break;
  }
  return { kept: Object.fromEntries(kept), isCut: left < 0 };
}

interface WrittenBody {
  text: string | null;
  bytes: number | null;
  leftOut: SentRequest['body_left_out'];
  isCut: boolean;
}

const NO_BODY: WrittenBody = { text: null, bytes: 0, leftOut: null, isCut: false };
/** Its size would tell the length of a secret. */
const LEFT_OUT: WrittenBody = { text: null, bytes: null, leftOut: 'large', isCut: false };

function bodyOf(body: Buffer | undefined, redacted: ((text: string) => string) | undefined): WrittenBody {
  if (body === undefined || body.length === 0) return NO_BODY;
  const bytes = body.length;
  if (redacted === undefined) return bodyWithin(body, bytes);
  if (!isText(body)) return { text: null, bytes, leftOut: 'binary', isCut: false };
  return bodyWithin(Buffer.from(redacted(body.toString('utf8'))), bytes);
}

function bodyWithin(body: Buffer, bytes: number): WrittenBody {
  const head = body.subarray(0, endOfWhole(body));
  if (!isText(head)) return { text: null, bytes, leftOut: 'binary', isCut: false };
  return { text: head.toString('utf8'), bytes, leftOut: null, isCut: head.length < body.length };
}

const isText = (bytes: Buffer) => isUtf8(bytes) && !bytes.includes(0);

/** Returns where the last whole character ends: a cut inside one would make the text none. */
function endOfWhole(body: Buffer): number {
  if (body.length <= MOST) return body.length;
  let end = MOST;
  while (end > MOST - 4 && ((body[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}
