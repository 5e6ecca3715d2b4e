import { type CurlRequest, note } from './curl-request.js';
import { isKeyHeader, type SecretList } from './found-secrets.js';

/** The headers of a call, and what the options have instead of some. */
export interface CallHeaders {
  headers: Record<string, string>;
  contentType: string | undefined;
  userAgent: string | undefined;
  /** User and password of `Authorization: Basic`. */
  basic: string | undefined;
}

/** The client of this server sets these itself. */
const OF_CONNECTION =
  /^(?:accept-encoding|connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade|http2-settings|proxy-.*)$/;
/** Browsers and Postman send these of themselves. */
const OF_BROWSER = /^(?:sec-.*|priority|upgrade-insecure-requests|dnt|x-client-data|postman-token)$/;
const OF_SIGNATURE = /^x-amz-(?:date|content-sha256|security-token)$/;

/** Sorts the headers of a call; keys become credentials. */
export function callHeaders(
  request: CurlRequest,
  { host, list, write }: { host: string; list: SecretList; write: (text: string) => string },
): CallHeaders {
  const found: CallHeaders = { headers: {}, contentType: undefined, userAgent: undefined, basic: undefined };
  const isSigned = request.headers.some(
    ([name, value]) => isAuthorization(name) && value.startsWith('AWS4-'),
  );
  const dropped: string[] = [];
  for (const [name, value] of joined(request.headers)) {
    const lower = name.toLowerCase();
    if (lower === 'content-type') found.contentType = value;
    else if (lower === 'user-agent') found.userAgent = write(value);
    else if (lower === 'host') noteHost(request, value, host);
    else if (OF_CONNECTION.test(lower) || (isSigned && OF_SIGNATURE.test(lower))) continue;
    else if (OF_BROWSER.test(lower)) dropped.push(name);
    else if (isAuthorization(name)) addAuthorization(value, { request, found, list, name });
    else if (lower === 'cookie') {
      found.headers[name] = list.keep({ where: `headers.${name}`, kind: 'cookie', value });
    } else if (isKeyHeader(name, value)) {
      found.headers[name] = list.keep({ where: `headers.${name}`, kind: 'api key header', value });
    } else found.headers[name] = write(value);
  }
  if (dropped.length > 0) {
    note(request, `Headers that only browsers and Postman send are left out: ${dropped.join(', ')}.`);
  }
  return found;
}

const isAuthorization = (name: string) => name.toLowerCase() === 'authorization';

/** Several headers of a name are one list; cookies are joined as browsers do. */
function joined(headers: CurlRequest['headers']): [name: string, value: string][] {
  const all = new Map<string, [string, string]>();
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    const before = all.get(lower);
    // Of `-H 'Content-Type: …'` given twice, and of the user agent, the last one is meant.
    const isOne = before === undefined || /^(?:content-type|user-agent|authorization|host)$/.test(lower);
    all.set(lower, [name, isOne ? value : `${before[1]}${lower === 'cookie' ? '; ' : ', '}${value}`]);
  }
  return [...all.values()];
}

function noteHost(request: CurlRequest, value: string, host: string): void {
  if (value.toLowerCase() === host) return;
  note(request, `The header Host (${value}) is left out: requests have the host of their address.`);
}

interface AuthorizationPlace {
  request: CurlRequest;
  found: CallHeaders;
  list: SecretList;
  name: string;
}

function addAuthorization(value: string, { request, found, list, name }: AuthorizationPlace): void {
  const where = `headers.${name}`;
  const [, scheme = '', rest = ''] = /^([A-Za-z][\w-]*)\s+([\s\S]+)$/.exec(value) ?? [];
  const lower = scheme.toLowerCase();
  if (lower === 'basic') {
    found.basic = userOf(rest);
    if (found.basic !== undefined) return;
  }
  if (lower === 'digest') {
    note(request, 'The header Authorization holds the answer to one challenge. Use digest_auth.');
  } else if (scheme.startsWith('AWS4-')) {
    const accessKey = /Credential=([^/,\s]+)/.exec(rest)?.[1] ?? '';
    found.headers[name] = list.keep({ where, kind: 'aws keys', value: '', accessKey });
    note(request, 'The signature of AWS holds for one request. A credential of the mode AWS signs each.');
  } else if (scheme === '') {
    found.headers[name] = list.keep({ where, kind: 'api key header', value });
  } else {
    const kind = lower === 'bearer' ? 'bearer' : 'api key header';
    found.headers[name] = `${scheme} ${list.keep({ where, kind, value: rest })}`;
  }
}

/** Returns `user:password`; undefined for a text that is no base64 of one. */
function userOf(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes(':') ? text : undefined;
  } catch {
    return undefined;
  }
}
