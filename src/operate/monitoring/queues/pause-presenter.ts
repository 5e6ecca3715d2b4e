import Joi from 'joi';
import { component, responseSchema, timeSchema } from '../../../api/face.js';
import type { PausedQueue } from '../../../engine/face.js';
import { timestamp } from '../../../platform/time/timestamp.js';

/** The pause of a queue in a response. */
export const pauseSchema = component(
  'QueuePause',
  responseSchema({
    since: timeSchema.allow(null).description('When it was paused on the queue board; null if unknown'),
    by: Joi.string().allow(null).description('Account that paused it; null if unknown'),
  }),
)
  .allow(null)
  .description('Details of the pause, during which workers take no jobs; null if the queue is not paused');

/** Presents the pause of a queue; null: it is not paused. */
export function presentPause(paused: PausedQueue | null) {
  return paused && { since: paused.since && timestamp(paused.since), by: paused.by };
}
