import type { Config } from '../../config/face.js';
import type { DeliveryRow, JobWatch, ParkedOutcome, SettledOutcome, Stored } from '../../engine/face.js';
import type { Logger } from '../../platform/logger.js';
import { productVersion } from '../../platform/outbound/product-version.js';
import { loadTracing } from '../../platform/tracing/load-tracing.js';
import type { Tracing } from '../../platform/tracing/tracing.js';
import type { AcceptedRequest, WebhookTraces } from '../../web/face.js';
import { JobTrace } from './job-trace.js';
import { eventSpanId, jobPlace, jobSpanId, rootSpanId, traceIdOf } from './span-ids.js';
import { tracingSettings } from './tracing-settings.js';

/** The traces of one process, as its services see them. */
export interface Traces {
  webhooks: WebhookTraces;
  /** Follows a job; undefined if its run is not sampled. */
  watch: (delivery: DeliveryRow) => JobWatch | undefined;
  /** To be called after COMMIT: makes the spans of the events that were stored, and of the stories that were called. */
  committed(outcomes: SettledOutcome[], stored: Stored[]): void;
  /** Resolves when spans are made; until then none are. */
  ready: Promise<void>;
  /** Sends what is left, within seconds. */
  close(): Promise<void>;
}

/** Creates the traces of this process; undefined unless the standard variables switch them on (docs/operate/traces.md). */
export function createTraces(config: Pick<Config, 'traces'>, logger: Logger): Traces | undefined {
  const settings = tracingSettings(config.traces, productVersion());
  if (settings === undefined) return undefined;
  const tracing = loadTracing(settings, logger);
  const { ready } = tracing;
  return {
    webhooks: { accepted: (request) => acceptedSpan(request, tracing) },
    watch: (delivery) =>
      tracing.isSampled(delivery.storyRunGuid) ? new JobTrace(delivery, tracing) : undefined,
    committed(outcomes, stored) {
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome.kind === 'done') eventSpans(outcome, stored[index]?.eventIds ?? [], tracing);
        if (outcome.kind === 'parked') callSpans(outcome, tracing);
      }
    },
    ready,
    close: () => tracing.close(),
  };
}

/** The span of a webhook request is the root of the run's trace; it links the caller's span. */
function acceptedSpan(request: AcceptedRequest, tracing: Tracing): void {
  const { guid } = request;
  if (!tracing.isSampled(guid)) return;
  const caller = tracing.placeIn(request.traceparent);
  const span = tracing.start({
    name: 'webhook',
    role: 'server',
    traceId: traceIdOf(guid),
    spanId: rootSpanId(guid),
    startMs: request.beganMs,
    links: caller === undefined ? [] : [caller],
    attributes: {
      'fabula.story_run_guid': guid,
      'fabula.story_id': request.storyId,
      'fabula.agent_id': request.agentId,
      'fabula.spooled': request.spooled,
    },
  });
  span.end();
}

/** Events have spans, so that the actions that handle them know their parent. */
function eventSpans(
  { delivery, outputs }: Extract<SettledOutcome, { kind: 'done' }>,
  eventIds: number[],
  tracing: Tracing,
): void {
  for (const [index, { origin }] of outputs.entries()) {
    const eventId = eventIds[index];
    const guid = origin.storyRunGuid;
    if (eventId === undefined || !tracing.isSampled(guid)) continue;
    const isOwn = guid === delivery.storyRunGuid;
    const span = tracing.start({
      name: 'event',
      role: 'producer',
      traceId: traceIdOf(guid),
      spanId: eventSpanId(guid, eventId),
      parentId: isOwn ? jobSpanId(delivery) : rootSpanId(guid),
      // An exit of a called story makes an event of the calling run as well.
      links: isOwn ? [] : [jobPlace(delivery)],
      attributes: { 'fabula.event_id': eventId, 'fabula.agent_id': origin.agentId },
    });
    span.end();
  }
}

/**
 * Makes the spans of a call of a story, one in the trace of each of both runs: they name the other run, and link it if it
 * is traced as well. The worker that begins the called run does not know its caller.
 */
function callSpans({ delivery, call }: ParkedOutcome, tracing: Tracing): void {
  if (call === undefined) return;
  const caller = delivery.storyRunGuid;
  const { guid: called, storyId } = call.start;
  const isSampled = { caller: tracing.isSampled(caller), called: tracing.isSampled(called) };
  const root = { traceId: traceIdOf(called), spanId: rootSpanId(called) };
  if (isSampled.caller) {
    const span = tracing.start({
      name: 'call',
      role: 'producer',
      traceId: traceIdOf(caller),
      parentId: jobSpanId(delivery),
      links: isSampled.called ? [root] : [],
      attributes: { 'fabula.called_run_guid': called, 'fabula.called_story_id': storyId },
    });
    span.end();
  }
  if (isSampled.called) {
    const span = tracing.start({
      name: 'called',
      role: 'internal',
      traceId: root.traceId,
      parentId: root.spanId,
      links: isSampled.caller ? [jobPlace(delivery)] : [],
      attributes: { 'fabula.calling_run_guid': caller, 'fabula.calling_story_id': delivery.storyId },
    });
    span.end();
  }
}
