import { visibleText } from '../../../platform/visible-text.js';
import type { OpenDelivery } from './delivery-titles-store.js';

/** The return value of a finished job, as far as it is one of a delivery; jobs added by hand may return anything. */
interface Returned {
  outcome?: unknown;
  story?: unknown;
  agent?: unknown;
}

/** Returns a job's name on the board: its story, its action, and why it waits. */
export function titleOf(
  delivery: Pick<OpenDelivery, 'story' | 'action' | 'state' | 'attempts' | 'error'>,
): string {
  const note = noteOn(delivery);
  const place = `${delivery.story ?? 'deleted story'} · ${delivery.action ?? 'deleted action'}`;
  return visibleText(note === undefined ? place : `${place} (${note})`);
}

/** Returns the name of a job whose delivery is done; undefined if its return value does not tell. */
export function titleOfDone(returned: unknown): string | undefined {
  if (typeof returned !== 'object' || returned === null) return undefined;
  const { outcome, story, agent } = returned as Returned;
  if (typeof story !== 'string' || typeof agent !== 'string') return undefined;
  const place = visibleText(`${story} · ${agent}`);
  return outcome === 'handled' ? `${place} (failed, handled by a failure link)` : place;
}

function noteOn({
  state,
  attempts,
  error,
}: Pick<OpenDelivery, 'state' | 'attempts' | 'error'>): string | undefined {
  if (state === 'failed') return 'dead letter';
  if (state === 'held') return 'held: its story has used its share of jobs';
  if (state === 'parked') return 'waiting for its group or for the story it called';
  if (state === 'pending') return attempts > 0 ? `attempt ${attempts + 1}` : undefined;
  return attempts > 0 && error !== null ? `attempt ${attempts} failed, will be retried` : 'sleeps';
}
