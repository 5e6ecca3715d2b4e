import { flagVariable, integerVariable } from '../value-types.js';
import { inGroup } from '../variable.js';

const variable = inGroup('Webhooks and prompts');

/** How webhook requests are accepted and answered, also while the database is unreachable. */
export const webhookVariables = {
  acceptWaitMs: variable('ACCEPT_WAIT_MS', integerVariable({ min: 10 }), {
    default: 2_000,
    unit: 'milliseconds',
    meaning:
      'Webhook requests are rejected (503) while earlier ones have waited longer than this to be stored.',
  }),
  webhookSignatureToleranceSeconds: variable(
    'WEBHOOK_SIGNATURE_TOLERANCE_SECONDS',
    integerVariable({ min: 1 }),
    {
      default: 300,
      unit: 'seconds',
      meaning: 'Maximum age of the signature of a webhook request.',
    },
  ),
  responseWaitMs: variable('RESPONSE_WAIT_MS', integerVariable({ min: 100 }), {
    default: 30_000,
    unit: 'milliseconds',
    meaning: 'How long a response-enabled webhook waits for an exit action.',
    more: '../understand/specification.md#47-answers-by-the-run',
  }),
  responseConcurrency: variable('RESPONSE_CONCURRENCY', integerVariable({ min: 1 }), {
    default: 10,
    unit: 'requests',
    meaning: 'Concurrent waiting requests of response-enabled webhooks, per tenant.',
  }),
  responseConcurrencyDedicated: variable('RESPONSE_CONCURRENCY_DEDICATED', integerVariable({ min: 1 }), {
    default: 1000,
    unit: 'requests',
    meaning: 'Same for tenants marked as dedicated.',
  }),
  storyStaleSeconds: variable('STORY_STALE_SECONDS', integerVariable({ min: 5, max: 86_400 }), {
    default: 900,
    unit: 'seconds',
    meaning: 'How long a process uses cached stories and webhooks while MySQL is unreachable.',
  }),
  spoolMaxBytes: variable('SPOOL_MAX_BYTES', integerVariable({ min: 1024 }), {
    defaultText: 'a quarter of the memory that Redis may use',
    unit: 'bytes',
    meaning: 'Maximum size of the spool: webhook requests held in Redis while MySQL is unreachable.',
    more: 'spool.md',
  }),
  promptExpirySeconds: variable('PROMPT_EXPIRY_SECONDS', integerVariable({ min: 1, max: 31_536_000 }), {
    default: 604_800,
    unit: 'seconds',
    meaning: 'Validity of prompt links.',
  }),
  promptConfirm: variable('PROMPT_CONFIRM', flagVariable, {
    default: true,
    meaning:
      'Whether prompt links show a confirmation page first; `false`: opening the link is the response.',
    more: '../decisions/0028-origins.md',
  }),
};
