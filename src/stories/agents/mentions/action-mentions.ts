import { Unprocessable } from '../../../platform/errors.js';
import type { Database } from '../../../platform/mysql/database.js';
import { slugOf } from '../../../platform/text/slug.js';
import { listActionsWith, listInputsWith, listStoriesOfTeams } from './action-mention-store.js';

/** The things that templates of actions name: `RESOURCE.x` and `{% global_resource x %}`, or the same of credentials. */
export type MentionedKind = 'RESOURCE' | 'CREDENTIAL';

/** Ids of actions by the slug that they name, by team, or by another group of stories. */
export type ActionMentions = ReadonlyMap<number, ReadonlyMap<string, readonly number[]>>;

const TAGS: Record<MentionedKind, string> = { RESOURCE: 'global_resource', CREDENTIAL: 'credential' };
/** A name after a root, plain or in quotes, which JSON escapes; a name in a tag ends at its end. */
const PATTERNS: Record<MentionedKind, RegExp> = {
  RESOURCE: patternOf('RESOURCE'),
  CREDENTIAL: patternOf('CREDENTIAL'),
};
const MOST_STORIES = 20_000;
const STORIES_AT_ONCE = 20;

function patternOf(kind: MentionedKind): RegExp {
  const ofRoot = `\\b${kind}\\s*(?:\\.\\s*([A-Za-z0-9_-]+)|[.[]\\s*\\\\?["']([^"'\\\\]{1,255}))`;
  const ofTag = `\\b${TAGS[kind]}\\s+(?:\\\\?["'])?([^%}"'\\\\|]{1,255})`;
  return new RegExp(`${ofRoot}|${ofTag}`, 'g');
}

/**
 * Returns the actions of these teams that name a resource or a credential. A name that a template computes is not found.
 * @throws Unprocessable for teams with more than 20,000 stories.
 */
export async function findMentions(
  kind: MentionedKind,
  teamIds: readonly number[],
  database: Pick<Database, 'read'>,
): Promise<ActionMentions> {
  const stories = await database.read((session) => listStoriesOfTeams(teamIds, MOST_STORIES + 1, session));
  if (stories.length > MOST_STORIES) {
    throw new Unprocessable(`More than ${MOST_STORIES} stories would have to be searched: specify a team`);
  }
  return findMentionsIn(kind, new Map(stories.map(({ id, teamId }) => [id, teamId])), database);
}

/** Returns the same for stories, given with the id of the group that their actions are returned by. */
export async function findMentionsIn(
  kind: MentionedKind,
  groups: ReadonlyMap<number, number>,
  database: Pick<Database, 'read'>,
): Promise<ActionMentions> {
  const stories = [...groups.keys()];
  const found = new Map<number, Map<string, number[]>>();
  for (let at = 0; at < stories.length; at += STORIES_AT_ONCE) {
    const ids = stories.slice(at, at + STORIES_AT_ONCE);
    const words = [kind, TAGS[kind]] as const;
    const actions = await database.read((session) => listActionsWith(words, ids, session));
    const inputs = await database.read((session) => listInputsWith(words, ids, session));
    for (const { id, storyId, options } of [...actions, ...inputs]) {
      const ofGroup = entryOf(found, groups.get(storyId) ?? 0, () => new Map<string, number[]>());
      for (const slug of slugsIn(options, PATTERNS[kind])) entryOf(ofGroup, slug, () => []).push(id);
    }
  }
  return found;
}

function slugsIn(options: string, pattern: RegExp): Set<string> {
  const names = [...options.matchAll(pattern)].map(([, plain, quoted, tagged]) => plain ?? quoted ?? tagged);
  return new Set(names.map((name = '') => slugOf(name)));
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
