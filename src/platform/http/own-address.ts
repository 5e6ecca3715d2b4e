import type { Config } from '../../config/config.js';

/** Where this server is reached, as far as a process without a request can know. */
export function baseUrlOf({ publicUrl, port }: Config): string {
  return publicUrl ?? `http://localhost:${port}`;
}

/** Where this server is reached, without the scheme: `META.tenant.domain` in templates. */
export function domainOf(config: Config): string {
  return config.publicUrl === undefined ? 'localhost' : new URL(config.publicUrl).host;
}
