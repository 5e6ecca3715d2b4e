import { streamEventText, type LiveEvent } from '../../api/face.js';
import type { LiveEventScope } from './live-event-scope.js';
import { presentLiveEvent } from './stream-event.js';

/** A live event with its tenant, team and story. */
export interface ScopedLiveEvent {
  item: LiveEvent;
  place: LiveEventScope;
  /** Further live events of the story were left out at that time. */
  omits: boolean;
  /** Returns its event; unless `full`, without what only a writer may see. */
  textOf(id: string, full: boolean): string;
}

/** Returns the live event with the text that is sent, made once for all readers. */
export function scopeLiveEvent(item: LiveEvent, place: LiveEventScope): ScopedLiveEvent {
  const texts = new Map<boolean, string>();
  const dataOf = (full: boolean): string => {
    const known = texts.get(full) ?? JSON.stringify(presentLiveEvent(item, place, full));
    texts.set(full, known);
    return known;
  };
  return {
    item,
    place,
    omits: item.kind === 'counts' && item.omitted > 0,
    textOf: (id, full) => streamEventText({ id, event: item.kind, data: dataOf(full) }),
  };
}
