import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A reverse proxy on a host that it shares with others. */
export interface PrefixProxy {
  /** The address of what it serves, with the prefix and without a slash at its end. */
  url: string;
  /** Requests for paths outside the prefix, which belong to others. */
  strays: string[];
  close(): Promise<void>;
}

/** Starts a proxy that takes `prefix` off each path, tells of it by `X-Forwarded-Prefix`, and passes the rest on. */
export async function startPrefixProxy(prefix: string, target: () => string): Promise<PrefixProxy> {
  const strays: string[] = [];
  const server = createServer((req, res) => {
    const url = req.url ?? '';
    if (url.startsWith(`${prefix}/`)) return passOn(req, res, { prefix, target: target() });
    strays.push(url);
    res.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // Webhooks of the tests are called at 127.0.0.1, and a name is either that of people or that of webhooks.
    url: `http://localhost:${(server.address() as AddressInfo).port}${prefix}`,
    strays,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function passOn(
  req: IncomingMessage,
  res: ServerResponse,
  { prefix, target }: { prefix: string; target: string },
): void {
  const headers = { ...req.headers, 'x-forwarded-prefix': prefix };
  const path = req.url?.slice(prefix.length) ?? '/';
  const onward = request(target, { method: req.method, path, headers }, (response) => {
    res.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(res);
  });
  // A side that is gone takes the other with it: a stream of events has no other end.
  res.once('close', () => onward.destroy());
  onward.once('error', () => res.destroy());
  req.pipe(onward);
}
