import type { IncomingMessage } from 'node:http';

/** `http://user@host:80` at the start of a request's target. */
const ABSOLUTE = /^https?:\/\/(?:[^/?#@]*@)?([^/?#@]+)/i;

/**
 * Turns a request in absolute form (`GET http://host/path`, as to a proxy) into the usual form. Its host then wins over
 * the `Host` header (RFC 9112 §3.2.2).
 */
export function toOriginForm(request: IncomingMessage): void {
  const { url = '' } = request;
  if (url.startsWith('/')) return;
  const [prefix, host] = ABSOLUTE.exec(url) ?? [];
  if (prefix === undefined || host === undefined) return;
  const rest = url.slice(prefix.length);
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers.host = host;
}
