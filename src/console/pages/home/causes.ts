import type { GetStatusResponse } from '../../../../clients/typescript/api.js';

/** A page on which something can be done about a cause, and what the button that leads there says. */
export interface Place {
  path: string;
  button: string;
}

const QUEUES: Place = { path: '/queues', button: 'Open queues' };
const DEAD_LETTERS: Place = { path: '/dead-letters', button: 'Review dead letters' };

/** By the id of the reason; the others of work are about the queues. */
const PLACES: Readonly<Record<string, Place>> = {
  'stories.dead-letters': DEAD_LETTERS,
  'stories.skipped-schedules': { path: '/schedules?view=list', button: 'Open schedules' },
  'work.unconnected-credentials': { path: '/credentials', button: 'Open credentials' },
};

/** Returns where something can be done about a reason of the status; undefined: on no page of the console. */
export function placeOf(id: string, { stories }: Pick<GetStatusResponse, 'stories'>): Place | undefined {
  const [silent, another] = stories?.silent_actions ?? [];
  if (id === 'stories.silent-actions' && silent !== undefined)
    return another === undefined
      ? { path: `/stories/${silent.story.id}?action=${silent.id}`, button: 'Open the action' }
      : { path: '/stories', button: 'Open stories' };
  return PLACES[id] ?? (id.startsWith('work.') ? QUEUES : undefined);
}
