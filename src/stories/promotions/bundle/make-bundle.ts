import { type Actor, visibleTeamIds } from '../../../api/face.js';
import { NotFound, Unprocessable } from '../../../platform/errors.js';
import { objectOfLines } from '../../../platform/json/json-lines.js';
import type { JsonObject } from '../../../platform/json.js';
import type { Database } from '../../../platform/mysql/database.js';
import { inSlices } from '../../../platform/steps.js';
import { TaskTooLarge, TaskTooLong } from '../../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../../platform/threads/thread-pool.js';
import { findStoryNamesOfTeam } from '../../graph/story-graph-store.js';
import type { StoryRecord } from '../../story/story-store.js';
import { visibleStory } from '../../story/visible-story.js';
import { readSnapshot } from '../../versions/version-snapshot.js';
import { type BundledStory, bundleStory } from './bundle-task.js';
import { calledNames, distinct, type NamedNeeds } from './named-needs.js';
import { MOST_BUNDLED } from '../routes/promotion-body.js';
import { nameKey } from '../plan/promoted-names.js';
import { findTeamNames, findTenantName } from '../target-store.js';

declare module '../../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'bundle-story': typeof import('./bundle-task.js').bundleStory;
  }
}

/** Stories for another tenant, and the names that they need there. */
export interface Bundle {
  tenant: string;
  exportedAt: Date;
  stories: { guid: string; name: string; team: string; data: JsonObject }[];
  needs: BundleNeeds;
}

/** Names, by alphabet. */
export interface BundleNeeds {
  teams: string[];
  credentials: string[];
  resources: string[];
  recordTypes: string[];
  /** Called stories that are not in the bundle. */
  stories: string[];
  webhookPaths: string[];
}

interface BundleDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  threads: Pick<ThreadPool, 'run'>;
}

/** Texts up to this length are read on the event loop, within 20 ms. */
const AT_ONCE_CHARACTERS = 16 * 1024;
const DEADLINE_MS = 20_000;

/**
 * Makes a bundle of these stories, and of the ones of their teams that they call if `withCalled`.
 * @throws NotFound for a story that the actor may not see; Unprocessable for a draft, and for too many stories.
 */
export async function makeBundle(
  actor: Actor,
  { ids, withCalled }: { ids: readonly number[]; withCalled: boolean },
  { database, threads }: BundleDeps,
): Promise<Bundle> {
  const wanted = [...new Set(ids)];
  const found: { story: StoryRecord; part: BundledStory }[] = [];
  const calls = createCalledStories(database);
  for (let at = 0; at < wanted.length; at += 1) {
    if (wanted.length > MOST_BUNDLED) throw tooMany();
    const { story, text } = await readStory(actor, wanted[at] ?? 0, database);
    const part = await bundled(actor.tenantId, text, threads);
    found.push({ story, part });
    if (!withCalled) continue;
    const called = await calls.idsOf(part.needs, story.teamId);
    for (const id of called) if (!wanted.includes(id)) wanted.push(id);
  }
  const teams = await database.read((session) => findTeamNames(visibleTeamIds(actor), session));
  const tenant = await database.read((session) => findTenantName(actor.tenantId, session));
  const teamOf = new Map(teams.map(({ id, name }) => [id, name]));
  const stories = [];
  for (const { story, part } of found) {
    const data = await inSlices(objectOfLines(part.data));
    stories.push({ guid: story.guid, name: story.name, team: teamOf.get(story.teamId) ?? '', data });
  }
  return { tenant, exportedAt: new Date(), stories, needs: needsOf(found, teamOf) };
}

function tooMany(): Unprocessable {
  const message = `A bundle has at most ${MOST_BUNDLED} stories, called ones included`;
  return new Unprocessable([{ message, details: 'story_ids' }]);
}

async function readStory(actor: Actor, id: number, database: BundleDeps['database']) {
  return database.transaction(async (session) => {
    const story = await visibleStory(actor, id, 'read', session);
    if (story.draftOf !== null)
      throw new Unprocessable([
        { message: `Story ${id} is a draft; publish it first`, details: 'story_ids' },
      ]);
    const snapshot = await readSnapshot(id, session);
    if (snapshot === undefined) throw new NotFound('Story');
    return { story, text: snapshot.text };
  });
}

async function bundled(
  tenantId: number,
  text: string,
  threads: BundleDeps['threads'],
): Promise<BundledStory> {
  if (text.length <= AT_ONCE_CHARACTERS) return bundleStory(text);
  try {
    const options = { tenantId, bytes: 2 * text.length, deadlineMs: DEADLINE_MS };
    return await threads.run('bundle-story', text, options);
  } catch (error) {
    if (!(error instanceof TaskTooLong || error instanceof TaskTooLarge)) throw error;
    throw new Unprocessable([{ message: `A story is too large to bundle: ${error.message}` }]);
  }
}

/** Finds the stories of a team that others call by name. */
function createCalledStories(database: BundleDeps['database']) {
  const known = new Map<number, Map<string, number>>();
  const namesIn = async (teamId: number): Promise<Map<string, number>> => {
    const names = known.get(teamId) ?? new Map<string, number>();
    if (known.has(teamId)) return names;
    known.set(teamId, names);
    for (const { id, name } of await database.read((session) => findStoryNamesOfTeam(session, teamId)))
      names.set(nameKey(name), id);
    return names;
  };
  return {
    async idsOf({ stories, storiesOfTeams }: NamedNeeds, teamId: number): Promise<number[]> {
      if (stories.length + storiesOfTeams.length === 0) return [];
      const names = await namesIn(teamId);
      const called = calledNames({ stories, storiesOfTeams }, (name) => names.has(nameKey(name)));
      return called.flatMap((name) => names.get(nameKey(name)) ?? []);
    },
  };
}

function needsOf(
  found: readonly { story: StoryRecord; part: BundledStory }[],
  teamOf: ReadonlyMap<number, string>,
): BundleNeeds {
  const given = new Set(found.map(({ story }) => nameKey(story.name)));
  const all = found.map(({ part }) => part.needs);
  const called = all.flatMap((needs) => calledNames(needs, (name) => given.has(nameKey(name))));
  return {
    teams: distinct(found.map(({ story }) => teamOf.get(story.teamId) ?? '')),
    credentials: distinct(all.flatMap(({ credentials }) => credentials)),
    resources: distinct(all.flatMap(({ resources }) => resources)),
    recordTypes: distinct(all.flatMap(({ recordTypes }) => recordTypes)),
    stories: distinct(called).filter((name) => !given.has(nameKey(name))),
    webhookPaths: all.flatMap(({ webhookPaths }) => webhookPaths).toSorted(),
  };
}
