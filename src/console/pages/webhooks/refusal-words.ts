import type { WebhookRefusal } from '../../../../clients/typescript/api.js';

/** Why a call was refused, and what the caller can do. */
export const REFUSAL_WORDS: Record<WebhookRefusal['reason'], string> = {
  disabled: 'The story or its action is disabled. Enable it, then call again.',
  method_not_allowed: 'The webhook does not accept this method. Change the caller, or the option verbs.',
  unauthorized: 'The secret or signature is wrong, missing or out of date. Check the secret and the clock.',
  reused_signature: 'The signature belongs to another delivery. Sign each call anew.',
  limited: 'There were too many calls. Wait for the time that Retry-After names.',
  runaway_loop:
    'Runs have started each other too many times in a row. Let the story stop calling its webhook.',
  quota_reached: 'A quota of the tenant is used up. It begins again the next day.',
  too_large: 'The body is larger than a webhook takes.',
  bad_request: 'The body could not be read as its content type.',
  client_gone: 'The caller left before the answer.',
  unavailable: 'The event could not be stored. Call again.',
  failed: 'The server failed. Its log has the cause.',
};
