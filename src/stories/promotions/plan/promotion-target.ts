import { type Actor, canWrite, visibleTeamIds } from '../../../api/face.js';
import { findTypesNamed } from '../../../data/face.js';
import { Forbidden } from '../../../platform/errors.js';
import type { Database } from '../../../platform/mysql/database.js';
import type { Session } from '../../../platform/mysql/session.js';
import { findStoryNamesOfTeam } from '../../graph/story-graph-store.js';
import { requiredRecordTypes } from '../../import/plan/required-record-types.js';
import { calledNames } from '../bundle/named-needs.js';
import { nameKey } from './promoted-names.js';
import { findPromotedStory } from '../promotion-store.js';
import type { PromotedStory } from './read-promotion.js';
import { findTeamNames, findUsableNames, type NamedThing } from '../target-store.js';

/** A name that a story needs and the tenant lacks. */
export interface MissingName {
  kind: 'team' | 'credential' | 'resource' | 'story';
  name: string;
}

/** The team that a story comes into, and what is there for it. */
export interface PromotionPlace {
  teamId: number;
  /** The story that it becomes; undefined: a new one. */
  storyId: number | undefined;
  missing: MissingName[];
  /** Names of record types that are created with it. */
  recordTypes: string[];
}

/** What a team has, by `nameKey`. */
interface TeamNames {
  credentials: ReadonlySet<string>;
  resources: ReadonlySet<string>;
  /** The newest story of each exact name. */
  byName: ReadonlyMap<string, number>;
  stories: ReadonlySet<string>;
}

/**
 * Finds the place of each story: by the promotion with which it came last, else by its name. Undefined for one whose team is
 * missing. @throws Forbidden naming a team whose stories the actor may not change.
 */
export async function findPlaces(
  actor: Actor,
  stories: readonly PromotedStory[],
  database: Pick<Database, 'read'>,
): Promise<(PromotionPlace | undefined)[]> {
  return database.read(async (session) => {
    const teams = await teamsOf(actor, stories, session);
    const known = new Map<number, TeamNames>();
    for (const teamId of new Set(teams.values())) known.set(teamId, await namesIn(actor, teamId, session));
    const found: (PromotionPlace | undefined)[] = [];
    for (const story of stories) {
      const teamId = teams.get(story.team);
      const names = teamId === undefined ? undefined : known.get(teamId);
      if (teamId === undefined || names === undefined) {
        found.push(undefined);
        continue;
      }
      const come = stories.filter((other) => other.team === story.team).map(({ name }) => nameKey(name));
      found.push({
        teamId,
        storyId:
          (await findPromotedStory({ teamId, sourceGuid: story.sourceGuid }, session)) ??
          names.byName.get(story.name),
        missing: missingIn(story, { ...names, stories: new Set([...names.stories, ...come]) }),
        recordTypes: await newRecordTypes(story, teamId, session),
      });
    }
    return found;
  });
}

/** Returns the visible teams that the stories name. Of two teams with one name the first counts. */
async function teamsOf(
  actor: Actor,
  stories: readonly PromotedStory[],
  session: Session,
): Promise<ReadonlyMap<string, number>> {
  const wanted = new Set(stories.map(({ team }) => team));
  const teams = new Map<string, number>();
  for (const { id, name } of await findTeamNames(visibleTeamIds(actor), session)) {
    if (!wanted.has(name) || teams.has(name)) continue;
    if (!canWrite(actor, id)) throw new Forbidden(`You may not change the stories of the team "${name}"`);
    teams.set(name, id);
  }
  return teams;
}

async function namesIn({ tenantId }: Actor, teamId: number, session: Session): Promise<TeamNames> {
  const usable = async (kind: 'credential' | 'resource') =>
    keysOf(await findUsableNames(kind, { tenantId, teamId }, session));
  const stories = await findStoryNamesOfTeam(session, teamId);
  return {
    credentials: await usable('credential'),
    resources: await usable('resource'),
    byName: new Map(stories.map(({ id, name }) => [name, id])),
    stories: new Set(stories.map(({ name }) => nameKey(name))),
  };
}

function keysOf(things: readonly NamedThing[]): Set<string> {
  return new Set(things.flatMap(({ name, slug }) => [nameKey(name), slug]));
}

function missingIn({ needs }: PromotedStory, names: TeamNames): MissingName[] {
  const lacking = (kind: MissingName['kind'], wanted: readonly string[], known: ReadonlySet<string>) =>
    wanted.filter((name) => !known.has(nameKey(name))).map((name): MissingName => ({ kind, name }));
  const called = calledNames(needs, (name) => names.stories.has(nameKey(name)));
  return [
    ...lacking('credential', needs.credentials, names.credentials),
    ...lacking('resource', needs.resources, names.resources),
    ...lacking('story', called, names.stories),
  ];
}

async function newRecordTypes({ data }: PromotedStory, teamId: number, session: Session): Promise<string[]> {
  const names = requiredRecordTypes([data]).types.map(({ name }) => name);
  const known = await findTypesNamed(
    names.map((name) => ({ teamId, name })),
    session,
  );
  return names.filter((name) => !known.some((type) => type.name === name));
}
