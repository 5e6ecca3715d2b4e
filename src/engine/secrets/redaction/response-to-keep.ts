import { CREDENTIAL_HEADERS } from '../../../platform/headers/credential-headers.js';
import { charsetOf, mediaTypeOf } from '../../../platform/headers/content-type.js';
import { headerOf } from '../../../platform/headers/header-of.js';
import type { HttpResponse } from '../../../platform/outbound/http-exchange.js';
import { HIDDEN } from '../../../platform/secrets/hidden-secrets.js';
import { decodeDocument } from '../../../platform/text/charsets/document-charset.js';
import type { KeptResponse } from '../../state/events/kept-response.js';
import type { OpenedSecrets } from '../opened-secrets.js';
import {
  bodyWithin,
  endOfWhole,
  type Header,
  headersWithin,
  isText,
  LEFT_OUT,
  NO_BODY,
  type WrittenBody,
} from './kept-parts.js';
import type { ReceivedResponse } from './sent-requests.js';

/** A larger body is left out if it may hold secrets: to redact it takes time of the shared event loop. */
const MOST_REDACTED = 256 * 1024;
/** The part of a larger body that is read, and of any body that is looked through for its message. */
const MOST_READ = 64 * 1024;

/** A response as it is kept. */
export interface ResponseToKeep {
  /** JSON of a `KeptResponse`. */
  json: string;
  /** The beginning of its body without secrets, to be looked through; empty if there is none, or if it is no text. */
  text: string;
}

/** Returns a response without secrets, its parts cut to a bounded size. It is redacted first: a cut may hide a secret from that. */
export function responseToKeep(
  { response, tookMs, receivedAt }: ReceivedResponse,
  secrets: OpenedSecrets,
): ResponseToKeep {
  const redact = (text: string) => secrets.redactText(text);
  const headers = headersWithin(textHeaders(response).map((header) => header.map(redact) as Header));
  // A token whose renewal failed is no opened credential any more, but its text is still known.
  const { body, text } = bodyOf(response, secrets.texts().length > 0 ? redact : undefined);
  const isCut = { headers: headers.isCut, body: body.isCut };
  const kept: KeptResponse = {
    received_at: receivedAt.toISOString(),
    duration_ms: Math.round(tookMs),
    status: response.status,
    headers: headers.kept,
    body: body.text,
    body_bytes: body.bytes,
    body_left_out: body.leftOut,
    truncated: (['headers', 'body'] as const).filter((part) => isCut[part]),
  };
  return { json: secrets.admit(JSON.stringify(kept)), text };
}

/** Headers that sign in, here or elsewhere, are hidden as a whole. */
function textHeaders({ headers }: HttpResponse): Header[] {
  return Object.keys(headers).map((name): Header => {
    const isSecret = CREDENTIAL_HEADERS.has(name.toLowerCase());
    return [name, isSecret ? HIDDEN : (headerOf(headers, name) ?? '')];
  });
}

interface ReadBody {
  body: WrittenBody;
  text: string;
}

function bodyOf(response: HttpResponse, redact: ((text: string) => string) | undefined): ReadBody {
  const all = response.body;
  const isLarge = all.length > MOST_REDACTED;
  if (all.length === 0) return { body: NO_BODY, text: '' };
  if (isLarge && redact !== undefined) return { body: LEFT_OUT, text: '' };
  const read = utf8Of(isLarge ? all.subarray(0, endOfWhole(all, MOST_READ)) : all, response);
  if (read === undefined) {
    return { body: { text: null, bytes: all.length, leftOut: 'binary', isCut: false }, text: '' };
  }
  const safe = redact === undefined ? read : Buffer.from(redact(read.toString('utf8')));
  const kept = bodyWithin(safe, redact === undefined ? all.length : safe.length);
  return {
    body: { ...kept, isCut: kept.isCut || isLarge },
    text: safe.toString('utf8', 0, endOfWhole(safe, MOST_READ)),
  };
}

/** Returns a text in any charset as UTF-8; undefined if the bytes are no text. */
function utf8Of(bytes: Buffer, { headers }: HttpResponse): Buffer | undefined {
  const type = headerOf(headers, 'content-type');
  const charset = charsetOf(type);
  const isForeign = charset !== undefined && !/^utf-?8$/.test(charset);
  if (!isForeign && isText(bytes)) return bytes;
  const text = decodeDocument(bytes, { mediaType: mediaTypeOf(type), charset });
  return text === undefined || text.includes('\0') ? undefined : Buffer.from(text);
}
