import { LRUCache } from 'lru-cache';
import type { LiveEventBatch, LiveEvent } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import { findStoryPlaces, type StoryOwner } from '../../stories/face.js';
import type { LiveEventScope } from './live-event-scope.js';
import { type ScopedLiveEvent, scopeLiveEvent } from './scoped-live-event.js';

const REMEMBERED = 10_000;
/** A story that changes its team is shown to the new one after this time. */
const FRESH_MS = 5_000;

/** Returns live events with the teams of their stories; those of deleted stories are left out. */
export type ScopeBatch = (batch: LiveEventBatch) => Promise<ScopedLiveEvent[]>;

/** Looks up the teams of stories, with one query for the unknown ones of a batch. */
export function createLiveEventScopes({ database }: { database: Pick<Database, 'read'> }): ScopeBatch {
  const scopes = new LRUCache<number, StoryOwner>({ max: REMEMBERED, ttl: FRESH_MS });
  return async ({ items }) => {
    const ofStories = items.filter((item) => ownScope(item) === undefined);
    const unknown = [...new Set(ofStories.map(({ storyId }) => storyId))].filter((id) => !scopes.has(id));
    if (unknown.length > 0) {
      const found = await database.read((session) => findStoryPlaces(session, unknown));
      for (const [id, scope] of found) scopes.set(id, scope);
    }
    return items.flatMap((item) => {
      const scope = ownScope(item) ?? scopes.get(item.storyId);
      return scope === undefined ? [] : [scopeLiveEvent(item, scope)];
    });
  };
}

/** Returns the scope that the live event itself names. */
function ownScope(item: LiveEvent): LiveEventScope | undefined {
  if (item.kind === 'audit_log_changed') return { ...item.of, teamId: undefined, isDraft: false };
  if (item.kind === 'case_changed') return { ...item.of, isDraft: false };
  if (item.kind !== 'story_changed' || item.gone === undefined) return undefined;
  return { ...item.gone, isDraft: false };
}
