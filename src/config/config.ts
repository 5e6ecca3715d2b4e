import Joi from 'joi';
import { addressFaults } from './address-faults.js';
import { archiveFaults } from './archive-faults.js';
import { mailFaults } from './mail-faults.js';
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
