import Joi from 'joi';
import { addressFaults } from './address-faults.js';
import { DATABASE_VARIABLES, firstOf, present, REDIS_VARIABLES } from './given-variables.js';
import { type Checked, schemaOf, type Settings, settingsOf, variablesIn } from './variable.js';
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
 * Reads the configuration from environment variables (docs/configuration.md).
 * @throws ConfigError naming every wrong variable at once.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { error, value } = environment.validate(given(env), {
    abortEarly: false,
    stripUnknown: true,
    errors: { wrap: { label: false } },
  });
  if (error) throw wrong(error.details.map(({ message }) => message));
  const config: Config = settingsOf(VARIABLES, value as Checked);
  const faults = addressFaults(config, { mustEncrypt: firstOf(env, ['REDIS_TLS_URL']) !== undefined });
  if (faults.length > 0) throw wrong(faults);
  return config;
}

/** Returns the variables that are set, those with several names under the name in the table. */
function given(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  const renamed = variables.filter(({ facts }) => facts.names !== undefined);
  return {
    ...present(env),
    ...Object.fromEntries(renamed.map(({ name, facts }) => [name, firstOf(env, facts.names ?? [])])),
  };
}

function wrong(faults: string[]): ConfigError {
  return new ConfigError(`Wrong configuration:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
}

/** The configuration of this process. The only place that reads `process.env`. */
export function loadConfig(overrides: NodeJS.ProcessEnv = {}): Config {
  return readConfig({ ...process.env, ...overrides });
}

/** A copy of the environment, for child processes and for looking up what `Config` does not hold. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env };
}

/** Which stores the environment gives an address for; the others are embedded by `npm start`. */
export function storesGiven(env: NodeJS.ProcessEnv): { database: boolean; redis: boolean } {
  return {
    database: firstOf(env, DATABASE_VARIABLES) !== undefined,
    redis: firstOf(env, REDIS_VARIABLES) !== undefined,
  };
}
