import { createHash } from 'node:crypto';
import { START_QUEUE } from '../../agents/face.js';
import type { DeliveryRow } from '../../engine/face.js';
import type { SpanPlace } from '../../platform/tracing/tracing.js';

/*
 * The ids of spans follow from ids that are stored anyway. So a process names the parent of its span, which another
 * process has sent or will send, and nothing has to be stored or passed on for traces.
 */

/** Returns the trace of a run: its guid, which has as many bits. */
export function traceIdOf(storyRunGuid: string): string {
  return storyRunGuid.replaceAll('-', '');
}

/** Returns the span in which a run begins. */
export function rootSpanId(storyRunGuid: string): string {
  return hashed(`${storyRunGuid} root`);
}

/** Returns the span of an event that an action stored. */
export function eventSpanId(storyRunGuid: string, eventId: number): string {
  return hashed(`${storyRunGuid} event ${eventId}`);
}

type Delivery = Pick<
  DeliveryRow,
  'storyRunGuid' | 'id' | 'generation' | 'attempts' | 'queue' | 'depth' | 'eventId'
>;

/** Returns the span of a job. The first attempt at a run's first action is the span in which the run begins. */
export function jobSpanId(delivery: Delivery): string {
  if (isRoot(delivery)) return rootSpanId(delivery.storyRunGuid);
  return hashed(`${delivery.storyRunGuid} job ${delivery.id} ${delivery.generation}`);
}

/** Returns the place of a job's span, for a link from the trace of another run. */
export function jobPlace(delivery: Delivery): SpanPlace {
  return { traceId: traceIdOf(delivery.storyRunGuid), spanId: jobSpanId(delivery) };
}

/** Returns the parent of a job's span: the event that it handles, or where the run begins; undefined for the root. */
export function parentOfJob(delivery: Delivery): string | undefined {
  if (isRoot(delivery)) return undefined;
  const { storyRunGuid, eventId, depth, queue } = delivery;
  return depth <= 1 || queue === START_QUEUE ? rootSpanId(storyRunGuid) : eventSpanId(storyRunGuid, eventId);
}

function isRoot({ queue, attempts }: Delivery): boolean {
  return queue === START_QUEUE && attempts === 0;
}

function hashed(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
