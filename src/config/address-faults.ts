import { AddressError } from '../platform/addresses/address-options.js';
import { readDatabaseAddresses } from '../platform/addresses/database-address.js';
import { readRedisAddress } from '../platform/addresses/redis-address.js';
import { checkSmtpAddress } from '../platform/addresses/smtp-address.js';
import type { Settings } from './variable.js';
import type { VARIABLES } from './variables.js';

type Addresses = Pick<
  Settings<typeof VARIABLES>,
  | 'databaseUrl'
  | 'databaseReadUrl'
  | 'databaseTls'
  | 'redisUrl'
  | 'redisTlsCa'
  | 'redisTlsRejectUnauthorized'
  | 'smtpUrl'
>;

/**
 * Returns a line for each wrong address; no line repeats an address, which may contain a password. `mustEncrypt`: the address
 * of Redis comes from `REDIS_TLS_URL`.
 */
export function addressFaults(config: Addresses, { mustEncrypt }: { mustEncrypt: boolean }): string[] {
  const { redisUrl, redisTlsCa: ca, redisTlsRejectUnauthorized: rejectUnauthorized, smtpUrl } = config;
  return [
    ...faultOf('DATABASE_URL', () => readDatabaseAddresses(config.databaseUrl, config.databaseTls)),
    ...faultOf('DATABASE_READ_URL', () => {
      const { databaseReadUrl, databaseTls } = config;
      return databaseReadUrl !== undefined && readDatabaseAddresses(databaseReadUrl, databaseTls);
    }),
    ...faultOf(mustEncrypt ? 'REDIS_TLS_URL' : 'REDIS_URL', () => {
      const { tls } = readRedisAddress(redisUrl, { ca, rejectUnauthorized });
      if (mustEncrypt && tls === undefined) throw new AddressError('must begin with rediss://');
    }),
    ...faultOf('SMTP_URL', () => smtpUrl !== undefined && checkSmtpAddress(smtpUrl)),
  ];
}

function faultOf(variable: string, read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    return [`${variable} ${error instanceof AddressError ? error.message : 'is not a valid address'}`];
  }
}
