import type { ParkedOutcome } from '../../engine/face.js';
import type { Tracing } from '../../platform/tracing/tracing.js';
import { jobPlace, jobSpanId, rootSpanId, traceIdOf } from './span-ids.js';

/**
 * Makes the spans of a call of a story, one in the trace of each of both runs: they name the other run, and link it if it
 * is traced as well. The worker that begins the called run does not know its caller.
 */
export function callSpans({ delivery, call }: ParkedOutcome, tracing: Tracing): void {
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
