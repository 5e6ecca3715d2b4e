import type { GetStatusResponse } from '../../../../clients/typescript/api.js';
import { CREDENTIALS, type Place, QUEUES } from '../../text/wait-words.js';

const DEAD_LETTERS: Place = { path: '/dead-letters', name: 'Review dead letters' };

/** By the id of the reason; the others of work are about the queues. */
const PLACES: Readonly<Record<string, Place>> = {
  'stories.dead-letters': DEAD_LETTERS,
  'stories.skipped-schedules': { path: '/schedules?view=list', name: 'Open schedules' },
  'work.unconnected-credentials': CREDENTIALS,
};

/** Returns where something can be done about a reason of the status; undefined: on no page of the console. */
export function placeOf(id: string, { stories }: Pick<GetStatusResponse, 'stories'>): Place | undefined {
  const [silent, another] = stories?.silent_actions ?? [];
  if (id === 'stories.silent-actions' && silent !== undefined)
    return another === undefined
      ? { path: `/stories/${silent.story.id}?action=${silent.id}`, name: 'Open the action' }
      : { path: '/stories', name: 'Open stories' };
  return PLACES[id] ?? (id.startsWith('work.') ? QUEUES : undefined);
}
