import type { RedisOptions } from 'ioredis';
import type { TlsSettings } from '../addresses/tls-settings.js';

/** Returns the driver's options for these settings of TLS. */
export function tlsOptions({ verifyIdentity, ...settings }: TlsSettings): NonNullable<RedisOptions['tls']> {
  return verifyIdentity ? settings : { ...settings, checkServerIdentity: () => undefined };
}
