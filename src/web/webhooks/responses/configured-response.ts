import { messageOf } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logger.js';
import { usesTestValues } from '../../../engine/face.js';
import type { TeamValues } from '../../../language/face.js';
import { withMarkers } from '../../../platform/secrets/secret-reference.js';
import type { WebhookResponse } from './response.js';
import type { ResponseContext } from './render-response-task.js';
import type { ResponseRenderer } from './response-renderer.js';
import type { WebhookCall } from '../webhook-call.js';
import type { ReceivedEvent } from '../webhook-event.js';
import { DEFAULT_RESPONSE } from './webhook-response.js';

export interface ConfiguredResponseDeps {
  values: TeamValues;
  render: ResponseRenderer;
  logger: Logger;
}

/** An accepted webhook request and the run that it starts. */
export interface StartedCall {
  call: WebhookCall;
  received: ReceivedEvent;
  guid: string;
}

/**
 * Renders the response from the webhook's options. The event is already stored. A template that fails must therefore
 * not look like a refusal, or the client would send the event again: it gives `201 Ok` and a logged warning.
 */
export async function configuredResponse(
  started: StartedCall,
  deps: ConfiguredResponseDeps,
): Promise<WebhookResponse> {
  const { call, guid } = started;
  const { response } = call.settings;
  if (response.fixed !== undefined) return response.fixed;
  try {
    const values = await deps.values.load(call.story.teamId, {
      ...response.needs,
      isTest: usesTestValues(call.story),
    });
    const context = { ...contextOf(started), ...values, credentials: markersOf(values.credentials) };
    return await deps.render(response, {
      received: started.received,
      context,
      tenantId: call.story.tenantId,
    });
  } catch (error) {
    deps.logger.warn('could not render a webhook response; responded with Ok', {
      story_id: call.story.id,
      agent_id: call.agent.id,
      story_run_guid: guid,
      error: messageOf(error),
    });
    return DEFAULT_RESPONSE;
  }
}

/** A response leaves the server, so credentials in it stay markers (decision 0026). */
function markersOf(credentials: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...credentials].map(([name, reference]) => [name, withMarkers(reference)]));
}

function contextOf({
  call: { story, agent },
  guid,
}: StartedCall): Omit<ResponseContext, 'resources' | 'credentials' | 'stories'> {
  return {
    slug: agent.slug,
    meta: { story: { id: story.id, name: story.name, guid: story.guid }, story_run: { guid } },
    storyRunGuid: guid,
  };
}
