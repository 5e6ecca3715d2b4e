import Joi from 'joi';
import { AddressError } from '../platform/addresses/address-options.js';
import { readDatabaseAddresses } from '../platform/addresses/database-address.js';
import { readRedisAddress } from '../platform/addresses/redis-address.js';
import { checkSmtpAddress } from '../platform/addresses/smtp-address.js';
import type { archiveVariables } from './variables/archive-variables.js';
import type { mailVariables } from './variables/mail-variables.js';
import { DATABASE_VARIABLES, firstSet, present, REDIS_VARIABLES } from './given-variables.js';
import { fileName, resolveSecretFiles } from './secret-files.js';
import { type CheckedVariables, schemaOf, type Settings, variableSettings, variablesIn } from './variable.js';
import { VARIABLES } from './variables.js';
import { apartFromTenants } from './variables/board-variables.js';

/** Everything a process needs to know about where and how it runs; `VARIABLES` says what each setting means. */
export interface Config extends Settings<typeof VARIABLES> {}

/** The environment is unusable; `message` names every variable that is wrong. */
export class ConfigError extends Error {}

const variables = variablesIn(VARIABLES);
const environment = Joi.object(
  Object.fromEntries(variables.map((variable) => [variable.name, schemaOf(variable)])),
).custom(apartFromTenants);

/**
 * Reads the configuration from environment variables (docs/operate/configuration.md).
 * @throws ConfigError naming every wrong variable at once.
 */
export function readConfig(given: NodeJS.ProcessEnv): Config {
  const { env, faults: unread } = resolveSecretFiles(given);
  const { error, value } = environment.validate(byTableName(env), {
    abortEarly: false,
    stripUnknown: true,
    errors: { wrap: { label: false } },
  });
  const hasNoValue = new Set<unknown>(unread.map(({ variable }) => variable));
  const details = error?.details.filter(({ path }) => !hasNoValue.has(path[0])) ?? [];
  const wrongValues = [...unread, ...details].map(({ message }) => message);
  if (wrongValues.length > 0) throw wrong(wrongValues);
  const config: Config = variableSettings(VARIABLES, value as CheckedVariables);
  const mustEncrypt = firstSet(env, ['REDIS_TLS_URL']) !== undefined;
  const faults = [...addressFaults(config, { mustEncrypt }), ...archiveFaults(config), ...mailFaults(config)];
  if (faults.length > 0) throw wrong(faults);
  return config;
}

/** Returns the variables that are set, those with several names under the name in the table. */
function byTableName(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  const renamed = variables.filter(({ facts }) => facts.names !== undefined);
  return {
    ...present(env),
    ...Object.fromEntries(renamed.map(({ name, facts }) => [name, firstSet(env, facts.names ?? [])])),
  };
}

function wrong(faults: string[]): ConfigError {
  return new ConfigError(`Invalid configuration:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
}

/**
 * Returns the configuration of this process; with a wrong one the process says what is wrong, and ends. The only place that
 * reads `process.env`.
 */
export function loadConfig(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(1);
  }
}

/** A copy of the environment, for child processes and for looking up what `Config` does not hold. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env };
}

/**
 * Returns the environment with the values of all secrets that files give.
 * @throws ConfigError naming every file that gives no value.
 */
export function withSecretsOfFiles(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { env, faults } = resolveSecretFiles(given);
  if (faults.length > 0) throw wrong(faults.map(({ message }) => message));
  return env;
}

/** Which stores the environment gives an address for; the others are embedded by `npm start`. */
export function storesGiven(env: NodeJS.ProcessEnv): { database: boolean; redis: boolean } {
  return {
    database: firstSet(env, withFiles(DATABASE_VARIABLES)) !== undefined,
    redis: firstSet(env, withFiles(REDIS_VARIABLES)) !== undefined,
  };
}

function withFiles(names: readonly string[]): string[] {
  return names.flatMap((name) => [name, fileName(name)]);
}

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
function addressFaults(config: Addresses, { mustEncrypt }: { mustEncrypt: boolean }): string[] {
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

/** Returns a line for each variable that an archive in an object storage lacks. */
function archiveFaults({ archiveTo, archiveS3 }: Settings<typeof archiveVariables>): string[] {
  if (archiveTo?.startsWith('s3://') !== true) return [];
  const needed = {
    ARCHIVE_S3_ACCESS_KEY_ID: archiveS3.accessKeyId,
    ARCHIVE_S3_SECRET_ACCESS_KEY: archiveS3.secretAccessKey,
  };
  const missing = Object.entries(needed).filter(([, value]) => value === undefined);
  return missing.map(([name]) => `${name} is required if ARCHIVE_TO is an S3 URL`);
}

/** Returns a line for each variable that the login with tokens at a mail server lacks, or must not have. */
function mailFaults({ smtpUrl, smtpOauth }: Settings<typeof mailVariables>): string[] {
  const { tokenUrl, clientId, clientSecret, refreshToken, scope } = smtpOauth;
  const given = [tokenUrl, clientId, clientSecret, refreshToken, scope];
  if (given.every((value) => value === undefined)) return [];
  const { username = '', password = '' } = smtpUrl === undefined ? {} : new URL(smtpUrl);
  const faults: [isSo: boolean, line: string][] = [
    [tokenUrl === undefined, 'SMTP_OAUTH_TOKEN_URL is required with the other SMTP_OAUTH_ variables'],
    [clientId === undefined, 'SMTP_OAUTH_CLIENT_ID is required with the other SMTP_OAUTH_ variables'],
    [
      clientSecret === undefined && refreshToken === undefined,
      'SMTP_OAUTH_CLIENT_SECRET or SMTP_OAUTH_REFRESH_TOKEN is required with the other SMTP_OAUTH_ variables',
    ],
    [
      username === '' || password !== '',
      'SMTP_URL must have a user and no password with SMTP_OAUTH_TOKEN_URL',
    ],
  ];
  return faults.flatMap(([isSo, line]) => (isSo ? [line] : []));
}
