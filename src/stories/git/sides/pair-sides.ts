import { retryLockConflicts } from '../../../platform/mysql/commit/retry-conflicts.js';
import { readSnapshot } from '../../versions/version-snapshot.js';
import { MOST_STORY_BYTES, type StoryPlace } from './story-places.js';
import type { SyncCase, SyncDeps, SyncRun } from '../sync/sync-types.js';
import { MOST_STORIES, type SyncedStory, type TeamStory } from '../sync/synced-story-store.js';

/** What each side has, and what is known of both. */
export interface Sides {
  stories: readonly TeamStory[];
  rows: readonly SyncedStory[];
  places: ReadonlyMap<string, StoryPlace>;
}

/** Returns the files of a place, as they are in the commit. */
export async function filesOf({ git }: SyncRun, { entries }: StoryPlace) {
  const oids = entries.map(({ oid }) => oid);
  const contents = await git.read(oids, MOST_STORY_BYTES);
  return entries.map(({ path, oid }) => ({ path, text: contents.get(oid)?.toString('utf8') ?? '' }));
}

/**
 * Returns the stories of both sides. Those that were never synced belong together by their own guid, by name, or by the guid
 * with which they were imported; each once.
 */
export async function paired(
  run: SyncRun,
  { stories, rows, places }: Sides,
  deps: Pick<SyncDeps, 'database' | 'comparer'>,
): Promise<SyncCase[]> {
  const byId = new Map(stories.map((story) => [story.id, story]));
  const known = new Set(rows.map(({ storyId }) => storyId));
  const taken = new Set(rows.map(({ place }) => place));
  // Of a team with more stories than are synced, some are not listed: they are not gone.
  const last = stories.length < MOST_STORIES ? Number.POSITIVE_INFINITY : (stories.at(-1)?.id ?? 0);
  const cases = rows
    .filter(({ storyId }) => storyId <= last)
    .map((row): SyncCase => {
      const [story, place] = [byId.get(row.storyId), places.get(row.place)];
      return { row, story, place, baseKind: 'base' };
    });
  const free = new Map(stories.filter(({ id }) => !known.has(id)).map((story) => [story.id, story]));
  const find = createStoryFinder(run, free, deps);
  for (const place of [...places.values()].filter(({ stem }) => !taken.has(stem))) {
    const story = await find(place);
    if (story !== undefined) free.delete(story.id);
    cases.push({ story, row: undefined, place, baseKind: 'base' });
  }
  // A story that the repository does not have is no matter of one that is only read.
  if (run.repository.direction === 'pull') return cases;
  for (const story of free.values())
    cases.push({ story, row: undefined, place: undefined, baseKind: 'base' });
  return cases;
}

/** Finds the story that files belong to, among those that are left. */
function createStoryFinder(
  run: SyncRun,
  free: ReadonlyMap<number, TeamStory>,
  { database, comparer }: Pick<SyncDeps, 'database' | 'comparer'>,
) {
  const { tenantId, layout, format } = run.repository;
  const form = { layout, format };
  let origins: Promise<Map<string, number>> | undefined;

  /** Those guids stand in the contents, which are read if nothing else tells. */
  const readOrigins = async (): Promise<Map<string, number>> => {
    const found = new Map<string, number>();
    for (const id of free.keys()) {
      const snapshot = await retryLockConflicts(() =>
        database.transaction((session) => readSnapshot(id, session)),
      );
      const live = snapshot?.text ?? null;
      const { originGuid } = await comparer(tenantId, { live, base: null, files: null, form });
      if (originGuid !== null) found.set(originGuid, id);
    }
    return found;
  };

  return async (place: StoryPlace): Promise<TeamStory | undefined> => {
    if (place.problem !== undefined || free.size === 0) return undefined;
    const files = await filesOf(run, place);
    const { head } = await comparer(tenantId, { live: null, base: null, files, form });
    if (head === null) return undefined;
    const all = [...free.values()];
    const found = all.find(({ guid }) => guid === head.guid) ?? all.find(({ name }) => name === head.name);
    if (found !== undefined || head.guid === null) return found;
    origins ??= readOrigins();
    return free.get((await origins).get(head.guid) ?? 0);
  };
}
