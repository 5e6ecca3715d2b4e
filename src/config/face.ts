/* The only file of this room that others import. */
export { clientOptions } from './client-options.js';
export {
  type Config,
  ConfigError,
  inheritedEnvironment,
  loadConfig,
  readConfig,
  storesGiven,
  withSecretsOfFiles,
} from './config.js';
export { DATABASE_VARIABLES, present, REDIS_VARIABLES } from './given-variables.js';
export { knownVariables } from './known-variables.js';
export { baseUrlOf, consoleUrl, domainOf, mailedConsoleUrl } from './own-address.js';
export { fileNamesOf } from './secret-files.js';
export { variablesIn } from './variable.js';
export { VARIABLES } from './variables.js';
export { allowedSender } from './variables/mail-variables.js';
export { MOST_PARTS } from './variables/run-variables.js';
