import type { CallWebhookBody, GraphAction, Webhook } from '../../../../../clients/typescript/api.js';
import { hasEntries } from '../../../text/exact-json.js';

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Returns the call after which a webhook emits this payload: its body, and its headers unless the webhook leaves them out. A
 * webhook that takes no body gets the entries of the body as parameters.
 */
export function callOf(
  payload: Readonly<Record<string, unknown>>,
  { options }: Pick<GraphAction, 'options'>,
  { verbs }: Pick<Webhook, 'verbs'>,
): CallWebhookBody {
  const { headers, body: own } = payload;
  const hasHeaders = options['include_headers'] !== false && 'body' in payload;
  const body = hasHeaders ? own : payload;
  const sent = hasHeaders && hasEntries(headers) ? { headers: textsIn(headers) } : {};
  if (verbs.some((verb) => WITH_BODY.has(verb))) return { ...sent, ...(body !== undefined && { body }) };
  return { ...sent, query: hasEntries(body) ? { ...body } : {} };
}

function textsIn(headers: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
