import type { HttpRequest } from '../http-exchange.js';

const REDIRECTS = [301, 302, 303, 307, 308];
/** Headers that state only the wanted format and the client. Any other may be a secret. */
const HARMLESS = ['accept', 'accept-language', 'user-agent'];

/** Returns the target of a redirect; `location` has one character for each byte. Undefined: the response is final. */
export function targetOf(
  request: HttpRequest,
  { status, location }: { status: number; location: string | undefined },
): URL | undefined {
  if (!REDIRECTS.includes(status) || location === undefined) return undefined;
  const reference = escaped(location);
  if (!URL.canParse(reference, request.url)) return undefined;
  const target = new URL(reference, request.url);
  if (target.protocol !== 'http:' && target.protocol !== 'https:') return undefined;
  target.username = '';
  target.password = '';
  return target;
}

/** Returns a reference, given as one character for each byte, with `%xx` for bytes that are not ASCII: UTF-8 in an address. */
function escaped(bytes: string): string {
  return bytes.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Returns the request that follows a redirect. 303, and 301 or 302 after a POST, ask for a GET without a body. To
 * another origin (scheme, host or port) only harmless headers are sent; returns undefined if a body would be sent there.
 */
export function redirected(request: HttpRequest, status: number, target: URL): HttpRequest | undefined {
  const asGet = becomesGet(request, status);
  const sameOrigin = new URL(request.url).origin === target.origin;
  if (!sameOrigin && !asGet && request.body !== undefined) return undefined;
  const { body, digest, ...rest } = request;
  return {
    ...rest,
    ...(digest === undefined || !sameOrigin ? {} : { digest }),
    ...(body === undefined || asGet ? {} : { body }),
    url: target.href,
    method: asGet ? 'GET' : request.method,
    headers: headersFor(request, { sameOrigin, asGet }),
  };
}

function becomesGet({ method }: HttpRequest, status: number): boolean {
  return (status === 303 && method !== 'HEAD') || (status <= 302 && method === 'POST');
}

function headersFor(
  { headers, secretHeaders = [] }: HttpRequest,
  { sameOrigin, asGet }: { sameOrigin: boolean; asGet: boolean },
): Record<string, string> {
  const kept = (name: string) =>
    sameOrigin
      ? name !== 'host' && !(asGet && name.startsWith('content-'))
      : HARMLESS.includes(name) && !secretHeaders.includes(name);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => kept(name)));
}
