import type { Config } from './config.js';
import { reachableHost } from '../platform/http/address/reachable-host.js';

/** Returns this server's base URL, as far as it is known without a request. */
export function baseUrlOf({ publicUrl, port }: Config): string {
  return publicUrl ?? `http://localhost:${port}`;
}

/** Returns this server's host without the scheme: `META.tenant.domain` in templates. */
export function domainOf(config: Config): string {
  return config.publicUrl === undefined ? 'localhost' : new URL(config.publicUrl).host;
}

/**
 * Returns the address of the console for a link in a mail, which goes to somebody else than the sender of a request: from
 * the settings alone, because anybody can forge headers. `port`: where the request came in, for an `ADMIN_PORT` of 0.
 * Undefined: proxies are set and `ADMIN_ORIGIN` is not, so that the address is unknown (decision 0084).
 */
export function mailedConsoleUrl(
  { adminOrigin, adminPort, trustedProxies }: Pick<Config, 'adminOrigin' | 'adminPort' | 'trustedProxies'>,
  port?: number,
): string | undefined {
  if (adminOrigin !== undefined) return `${adminOrigin}/console/`;
  const own = adminPort === 0 ? port : adminPort;
  return trustedProxies.length > 0 || own === undefined ? undefined : `http://localhost:${own}/console/`;
}

/** Returns the address of the console, as far as it is known without a request. Undefined: its port is any free one. */
export function consoleUrl({
  adminOrigin,
  adminPort,
  adminHost,
}: Partial<Pick<Config, 'adminOrigin' | 'adminPort'>> & Pick<Config, 'adminHost'>): string | undefined {
  if (adminOrigin !== undefined) return `${adminOrigin}/console/`;
  return adminPort === undefined || adminPort === 0
    ? undefined
    : `http://${reachableHost(adminHost)}:${adminPort}/console/`;
}
