import { archiveVariables } from './variables/archive-variables.js';
import { boardVariables } from './variables/board-variables.js';
import { credentialVariables } from './variables/credential-variables.js';
import { gitVariables } from './variables/git-variables.js';
import { limitVariables } from './variables/limit-variables.js';
import { mailVariables } from './variables/mail-variables.js';
import { metricsVariables } from './variables/metrics-variables.js';
import { outboundVariables } from './variables/outbound-variables.js';
import { processVariables } from './variables/process-variables.js';
import { quotaVariables } from './variables/quota-variables.js';
import { runVariables } from './variables/run-variables.js';
import { storeVariables } from './variables/store-variables.js';
import { traceVariables } from './variables/trace-variables.js';
import { webhookVariables } from './variables/webhook-variables.js';

/**
 * THE table of environment variables, by the name of their setting. The type `Config`, the checks, `docs/operate/configuration.md` and
 * `.env.example` follow from it, in its order. A default may depend on variables that stand earlier.
 */
export const VARIABLES = {
  ...storeVariables,
  ...processVariables,
  ...credentialVariables,
  ...boardVariables,
  ...metricsVariables,
  ...mailVariables,
  ...outboundVariables,
  ...gitVariables,
  ...webhookVariables,
  ...runVariables,
  ...archiveVariables,
  ...limitVariables,
  ...quotaVariables,
  ...traceVariables,
};
