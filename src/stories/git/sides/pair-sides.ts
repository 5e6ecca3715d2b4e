import type { PlaceHead, PlaceHeads } from './place-heads.js';
import type { StoryPlace } from './story-places.js';
import type { SyncCase, SyncDeps, SyncRun } from '../sync/sync-types.js';
import {
  findOriginGuids,
  MOST_STORIES,
  type SyncedStory,
  type TeamStory,
} from '../sync/synced-story-store.js';

/** What each side has, and what is known of both. */
export interface Sides {
  stories: readonly TeamStory[];
  rows: readonly SyncedStory[];
  places: ReadonlyMap<string, StoryPlace>;
}

/** Why the files of a team that may have more stories than are listed are left alone. */
const TOO_MANY = `The team has ${MOST_STORIES.toLocaleString('en')} stories or more, and only as many are synced: the files may be those of another, so they are no new story. Divide the team, or import them by hand`;

/**
 * Returns the stories of both sides. Files at a new place are those of a story whose files are gone from theirs, or that was never
 * synced: by its own guid, by the guid with which it was imported, or by name; each once.
 * If the time of the sync is over before, `unread` places are left, and no story is known for sure.
 */
export async function paired(
  run: SyncRun,
  { stories, rows, places }: Sides,
  { database, headsOf }: Pick<SyncDeps, 'database'> & { headsOf: PlaceHeads },
): Promise<{ cases: SyncCase[]; unread: number }> {
  const byId = new Map(stories.map((story) => [story.id, story]));
  const known = new Set(rows.map(({ storyId }) => storyId));
  const taken = new Set(rows.map(({ place }) => place));
  // Of a team with more stories than are synced, some are not listed: they are not gone.
  const isWhole = stories.length < MOST_STORIES;
  const last = isWhole ? Number.POSITIVE_INFINITY : (stories.at(-1)?.id ?? 0);
  const cases = rows
    .filter(({ storyId }) => storyId <= last)
    .map((row): SyncCase => {
      const [story, place] = [byId.get(row.storyId), places.get(row.place)];
      return { row, story, place, baseKind: 'base' };
    });
  const free = new Map(stories.filter(({ id }) => !known.has(id)).map((story) => [story.id, story]));
  const finder = createStoryFinder(run, { free, cases }, database);
  const added = [...places.values()].filter(({ stem }) => !taken.has(stem));
  const readable = added.filter(({ problem }) => problem === undefined);
  const heads = await headsOf(run, readable);
  if (heads.size < readable.length) return { cases: [], unread: readable.length - heads.size };
  for (const place of added) {
    const found = heads.get(place.stem);
    const { story, moved, problem } = await finder(found);
    if (moved?.row !== undefined) {
      moved.place = place;
      moved.row = { ...moved.row, place: place.stem };
      continue;
    }
    if (story !== undefined) free.delete(story.id);
    const own = problem === undefined ? place : { ...place, problem };
    // Files of a story that is not listed must not become a copy of it.
    const isNew = story === undefined && (found?.head ?? null) !== null;
    const held = isNew && !isWhole ? TOO_MANY : undefined;
    cases.push({ story, row: undefined, place: own, baseKind: 'base', held });
  }
  // A story that the repository does not have is no matter of one that is only read.
  if (run.repository.direction === 'pull') return { cases, unread: 0 };
  for (const story of free.values())
    cases.push({ story, row: undefined, place: undefined, baseKind: 'base' });
  return { cases, unread: 0 };
}

interface Belonging {
  /** A story that was never synced. */
  story?: TeamStory | undefined;
  /** A story whose files were at another place. */
  moved?: SyncCase | undefined;
  problem?: string | undefined;
}

/** Finds the story that files at a new place belong to. */
function createStoryFinder(
  run: SyncRun,
  { free, cases }: { free: ReadonlyMap<number, TeamStory>; cases: readonly SyncCase[] },
  database: SyncDeps['database'],
) {
  const { teamId } = run.repository;
  let origins: Promise<Map<number, string>> | undefined;

  return async (found: PlaceHead | undefined): Promise<Belonging> => {
    if (found?.problem !== undefined) return { problem: found.problem };
    const head = found?.head ?? null;
    if (head === null) return {};
    const { guid, name } = head;
    const unsynced = [...free.values()];
    const lost = cases.filter((each) => each.story !== undefined && each.place === undefined);
    if (guid === null) {
      const moved = lost.filter(({ story }) => story?.name === name);
      if (moved.length === 1) return { moved: moved[0] };
      return { story: unsynced.find((story) => story.name === name) };
    }
    origins ??= database.read((session) => findOriginGuids(teamId, session));
    const originOf = await origins;
    const isIt = (story: TeamStory | undefined): story is TeamStory =>
      story !== undefined && (story.guid === guid || originOf.get(story.id) === guid);
    const moved = lost.find(({ story }) => isIt(story));
    if (moved !== undefined) return { moved };
    // A copy of the files of another story is a story of its own: its import gives it another guid.
    return { story: unsynced.find(isIt) ?? unsynced.find((story) => story.name === name) };
  };
}
