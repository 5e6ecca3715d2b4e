import type { Config } from '../../config/config.js';
import { reachableHost } from './reachable-host.js';

/** Returns this server's base URL, as far as it is known without a request. */
export function baseUrlOf({ publicUrl, port }: Config): string {
  return publicUrl ?? `http://localhost:${port}`;
}

/** Returns this server's host without the scheme: `META.tenant.domain` in templates. */
export function domainOf(config: Config): string {
  return config.publicUrl === undefined ? 'localhost' : new URL(config.publicUrl).host;
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
