import type { WebhookRefusal } from '../../../../clients/typescript/api.js';

/** Why a call was refused, and what the caller can do. */
export const REFUSAL_WORDS: Record<WebhookRefusal['reason'], string> = {
  disabled: 'The story or its action is disabled. Enable it, then call again.',
  method_not_allowed: 'The webhook does not accept this method. Change the caller or the verbs option.',
  unauthorized: 'The secret or signature is wrong, missing or expired. Check the secret and the clock.',
  reused_signature: 'The signature was already used. Sign each call separately.',
  limited: 'Too many calls. Wait for the time in Retry-After.',
  runaway_loop: 'Too many runs started each other in a chain. Stop the story from calling its own webhook.',
  quota_reached: 'A tenant quota is used up. It resets the next day.',
  too_large: 'The body exceeds the size limit of webhooks.',
  bad_request: 'The body does not match its content type.',
  client_gone: 'The caller disconnected before the response.',
  unavailable: 'The event could not be stored. Call the webhook again.',
  failed: 'Server error. See the server log for the cause.',
};
