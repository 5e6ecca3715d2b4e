import { LRUCache } from 'lru-cache';
import type { NewsBatch, NewsItem } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import { findStoryPlaces, type StoryOwner } from '../../stories/face.js';
import type { NewsPlace } from './news-place.js';
import { type PlacedNews, placeNews } from './placed-news.js';

const REMEMBERED = 10_000;
/** A story that changes its team is shown to the new one after this time. */
const FRESH_MS = 5_000;

/** Returns the news with the teams of their stories; those of stories that are gone are left out. */
export type PlaceBatch = (batch: NewsBatch) => Promise<PlacedNews[]>;

/** Looks up the teams of stories, with one query for the unknown ones of a batch. */
export function createNewsPlaces({ database }: { database: Pick<Database, 'read'> }): PlaceBatch {
  const places = new LRUCache<number, StoryOwner>({ max: REMEMBERED, ttl: FRESH_MS });
  return async ({ items }) => {
    const ofStories = items.filter((item) => ownPlace(item) === undefined);
    const unknown = [...new Set(ofStories.map(({ storyId }) => storyId))].filter((id) => !places.has(id));
    if (unknown.length > 0) {
      const found = await database.read((session) => findStoryPlaces(session, unknown));
      for (const [id, place] of found) places.set(id, place);
    }
    return items.flatMap((item) => {
      const place = ownPlace(item) ?? places.get(item.storyId);
      return place === undefined ? [] : [placeNews(item, place)];
    });
  };
}

/** Returns the place that the news itself names. */
function ownPlace(item: NewsItem): NewsPlace | undefined {
  if (item.kind === 'audit_log_changed') return { ...item.of, teamId: undefined, isDraft: false };
  if (item.kind === 'case_changed') return { ...item.of, isDraft: false };
  if (item.kind !== 'story_changed' || item.gone === undefined) return undefined;
  return { ...item.gone, isDraft: false };
}
