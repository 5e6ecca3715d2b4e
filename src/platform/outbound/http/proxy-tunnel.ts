import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import { errorCode } from '../error-code.js';
import type { ConnectionTarget } from './agents.js';

/** The proxy of `OUTBOUND_PROXY` did not connect; `message` does not contain its address. */
export class ProxyFailed extends Error {
  constructor(what: string, cause?: unknown) {
    super(`the proxy of OUTBOUND_PROXY ${what}`, { cause });
    this.name = 'ProxyFailed';
  }
}

interface Options {
  timeoutMs: number;
  /** Additional trusted certificates (PEM) for the connection to the proxy. */
  ca?: string;
}

/**
 * Connects through an HTTP proxy by CONNECT, for http and https alike: the proxy resolves the names.
 * @throws ProxyFailed.
 */
export function openTunnel(
  proxy: URL,
  { host, port }: ConnectionTarget,
  { timeoutMs, ca }: Options,
): Promise<Socket> {
  const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const ask = proxy.protocol === 'https:' ? tlsRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const request = ask(proxy, {
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...authorization(proxy) },
      auth: null,
      agent: false,
      ...(ca === undefined ? {} : { ca }),
    });
    const fail = (error: Error) => {
      clearTimeout(timer);
      request.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(new ProxyFailed('did not respond in time')), timeoutMs);
    request.on('error', (error) => fail(new ProxyFailed(`failed (${errorCode(error) ?? 'no code'})`, error)));
    request.once('response', ({ statusCode }) => fail(new ProxyFailed(`answered ${statusCode}`)));
    request.once('connect', ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy();
        fail(new ProxyFailed(`answered ${statusCode}`));
        return;
      }
      clearTimeout(timer);
      // The later owner of the socket reads its errors; until then there is no other listener.
      socket.on('error', () => undefined);
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    request.end();
  });
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
