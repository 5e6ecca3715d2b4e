import type { LoadOptions } from './load-options.js';

type Call = Pick<LoadOptions, 'url' | 'method' | 'headers' | 'body'>;

/** A call as it goes over the wire, on a connection that stays open. */
export function requestBytes({ url, method = 'POST', headers = {}, body }: Call): Buffer {
  const { host, pathname, search } = new URL(url);
  const ofBody =
    body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
  const lines = [
    `${method} ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...ofBody,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}
