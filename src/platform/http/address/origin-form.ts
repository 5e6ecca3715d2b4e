import type { IncomingMessage } from 'node:http';

/** `http://host:80` at the start of a request's target. */
const ABSOLUTE = /^https?:\/\/([^/?#]+)/i;

/**
 * Turns a request in absolute form (`GET http://host/path`, as to a proxy; RFC 9112 §3.2.2) into the usual form. One whose
 * host is not that of the `Host` header stays, and is refused: two servers could read it as two requests.
 */
export function toOriginForm(request: IncomingMessage): void {
  const { url = '', headers } = request;
  if (url.startsWith('/')) return;
  const [prefix, host] = ABSOLUTE.exec(url) ?? [];
  if (prefix === undefined || host === undefined) return;
  if (headers.host !== undefined && headers.host.toLowerCase() !== host.toLowerCase()) return;
  const rest = url.slice(prefix.length);
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  headers.host = host;
}
