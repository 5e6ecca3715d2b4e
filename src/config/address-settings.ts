import Joi from 'joi';
import { AddressError } from '../platform/text/address-options.js';
import { readDatabaseAddress } from '../platform/text/database-address.js';
import { readRedisAddress } from '../platform/text/redis-address.js';
import { checkSmtpAddress } from '../platform/text/smtp-address.js';
import type { TlsVariables } from '../platform/text/tls-settings.js';
import { schemes } from '../platform/validation/variable-schemas.js';

/** Where the two stores and the mail server are, and how they are reached (decision 0033). */
export interface AddressSettings {
  databaseUrl: string;
  /** What is said of the database's TLS beside its address. */
  databaseTls: TlsVariables;
  redisUrl: string;
  redisTlsRejectUnauthorized: boolean;
  /** A certificate in PEM, or the path of a file that holds it. */
  redisTlsCa: string | undefined;
  smtpUrl: string | undefined;
}

export interface AddressEnvironment {
  DATABASE_URL: string;
  DATABASE_TLS_REJECT_UNAUTHORIZED?: boolean;
  DATABASE_TLS_CA?: string;
  REDIS_URL: string;
  REDIS_TLS_REJECT_UNAUTHORIZED: boolean;
  REDIS_TLS_CA?: string;
  SMTP_URL?: string;
}

/** The variables, as the environment is checked. */
export const addressVariables: Record<keyof AddressEnvironment, Joi.Schema> = {
  DATABASE_URL: schemes('mysql', 'mysql2', 'mariadb').required(),
  DATABASE_TLS_REJECT_UNAUTHORIZED: Joi.boolean(),
  DATABASE_TLS_CA: Joi.string(),
  REDIS_URL: schemes('redis', 'rediss').required(),
  REDIS_TLS_REJECT_UNAUTHORIZED: Joi.boolean().default(true),
  REDIS_TLS_CA: Joi.string(),
  SMTP_URL: schemes('smtp', 'smtps'),
};

/** The addresses that the checked environment names. */
export function addressSettings(env: AddressEnvironment): AddressSettings {
  return {
    databaseUrl: env.DATABASE_URL,
    databaseTls: { ca: env.DATABASE_TLS_CA, rejectUnauthorized: env.DATABASE_TLS_REJECT_UNAUTHORIZED },
    redisUrl: env.REDIS_URL,
    redisTlsRejectUnauthorized: env.REDIS_TLS_REJECT_UNAUTHORIZED,
    redisTlsCa: env.REDIS_TLS_CA,
    smtpUrl: env.SMTP_URL,
  };
}

/**
 * What is wrong with the addresses, a line for each; no line repeats an address, which may hold a password. `mustEncrypt`:
 * Redis was named by `REDIS_TLS_URL`.
 */
export function addressFaults(
  settings: AddressSettings,
  { mustEncrypt }: { mustEncrypt: boolean },
): string[] {
  const { redisUrl, redisTlsCa: ca, redisTlsRejectUnauthorized: rejectUnauthorized, smtpUrl } = settings;
  return [
    ...faultOf('DATABASE_URL', () => readDatabaseAddress(settings.databaseUrl, settings.databaseTls)),
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
