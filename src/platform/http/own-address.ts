import type { Config } from '../../config/config.js';

/** Returns this server's base URL, as far as it is known without a request. */
export function baseUrlOf({ publicUrl, port }: Config): string {
  return publicUrl ?? `http://localhost:${port}`;
}

/** Returns this server's host without the scheme: `META.tenant.domain` in templates. */
export function domainOf(config: Config): string {
  return config.publicUrl === undefined ? 'localhost' : new URL(config.publicUrl).host;
}
