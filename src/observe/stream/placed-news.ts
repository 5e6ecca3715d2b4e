import { streamEventText, type NewsItem } from '../../api/face.js';
import type { NewsPlace } from './news-place.js';
import { presentNews } from './stream-event.js';

/** News with whose they are. */
export interface PlacedNews {
  item: NewsItem;
  place: NewsPlace;
  /** There were more news of the story at that time. */
  omits: boolean;
  /** Returns its event; unless `full`, without what only a writer may see. */
  textOf(id: string, full: boolean): string;
}

/** Returns the news with the form of its event, made once for all readers. */
export function placeNews(item: NewsItem, place: NewsPlace): PlacedNews {
  const texts = new Map<boolean, string>();
  const dataOf = (full: boolean): string => {
    const known = texts.get(full) ?? JSON.stringify(presentNews(item, place, full));
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
