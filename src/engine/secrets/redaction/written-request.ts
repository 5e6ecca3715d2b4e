import type { HttpRequest } from '../../../platform/outbound/http-exchange.js';
import { HIDDEN } from '../../../platform/secrets/hidden-secrets.js';
import type { SentRequest } from '../../state/events/sent-request.js';
import type { OpenedSecrets } from '../opened-secrets.js';
import {
  bodyWithin,
  type Header,
  headersWithin,
  isText,
  LEFT_OUT,
  MOST,
  NO_BODY,
  type WrittenBody,
} from './kept-parts.js';

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

function bodyOf(body: Buffer | undefined, redacted: ((text: string) => string) | undefined): WrittenBody {
  if (body === undefined || body.length === 0) return NO_BODY;
  const bytes = body.length;
  if (redacted === undefined) return bodyWithin(body, bytes);
  if (!isText(body)) return { text: null, bytes, leftOut: 'binary', isCut: false };
  return bodyWithin(Buffer.from(redacted(body.toString('utf8'))), bytes);
}
