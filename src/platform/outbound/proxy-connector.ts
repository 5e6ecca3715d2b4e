import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import { errorCode } from './error-code.js';

/** The proxy of `OUTBOUND_PROXY` did not connect; `message` does not contain its address. */
export class ProxyFailed extends Error {
  constructor(what: string, cause?: unknown) {
    super(`the proxy of OUTBOUND_PROXY ${what}`, { cause });
    this.name = 'ProxyFailed';
  }
}

interface Options {
  timeoutMs: number;
  tls: { ca?: string; rejectUnauthorized?: boolean };
}

/** Connects through an HTTP proxy by CONNECT, for http and https alike: the proxy resolves the names. */
export function createProxyConnector(proxy: string, { timeoutMs, tls }: Options): buildConnector.connector {
  const address = new URL(proxy);
  const finish = buildConnector({ ...tls, timeout: timeoutMs });
  const open = callbackify(openTunnel);
  return (target, callback) => {
    open(address, authorityOf(target), { timeoutMs, tls }, (error, socket) => {
      if (error !== null) callback(error, null);
      else if (target.protocol === 'https:') finish({ ...target, httpSocket: socket }, callback);
      else callback(null, socket);
    });
  };
}

function authorityOf({ hostname, port, protocol }: buildConnector.Options): string {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return `${isIPv6(bare) ? `[${bare}]` : bare}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

function openTunnel(proxy: URL, authority: string, { timeoutMs, tls }: Options): Promise<Socket> {
  const ask = proxy.protocol === 'https:' ? tlsRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const request = ask(proxy, {
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...authorization(proxy) },
      auth: null,
      agent: false,
      ...(tls.ca === undefined ? {} : { ca: tls.ca }),
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
