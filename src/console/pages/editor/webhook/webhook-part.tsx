import type { GraphAction } from '../../../../../clients/typescript/api.js';
import { slugOf } from '../../../text/action-slug.js';
import { useSavedEvent } from '../sample/saved-payloads.js';
import { useShownSample } from '../sample/shown-sample.js';
import { TestCall } from './test-call.js';
import { WebhookCard } from './webhook-card.js';
import { WebhookResponse } from './webhook-response.js';

/** How a webhook under edit is called, what its callers get, and a call to try that. */
export function WebhookPart({ actionKey, action }: { actionKey: string; action: GraphAction }) {
  const saved = useSavedEvent(useShownSample());
  const event = saved?.[slugOf(action.name)] as { body?: unknown } | undefined;
  const body = event?.body;
  return (
    <>
      <WebhookCard
        actionKey={actionKey}
        action={action}
        {...(body !== undefined && { body: JSON.stringify(body) })}
      />
      <WebhookResponse actionKey={actionKey} action={action} body={body} />
      {/* A sample that comes later is the body of the call, unless one was written. */}
      {action.id && <TestCall key={JSON.stringify(body)} id={action.id} body={body} />}
    </>
  );
}
