import { LRUCache } from 'lru-cache';
import type { Database } from '../../platform/mysql/database.js';
import { findTeam, type ForgetsTeams } from '../../people/face.js';
import { findStoryNamesOfTeam } from '../../stories/face.js';
import { slugOf } from '../../platform/text/slug.js';
import type { JsonValue } from '../../platform/json.js';
import type { TeamValues } from '../../language/face.js';

/** Changes reach every process within this time, also if Redis tells nobody of them (`followValueChanges`). */
const FRESH_MS = 5_000;
/** For so long a load that somebody asked for with `since` is new enough: each failing template would ask for another. */
const AGAIN_MS = 1_000;
const MAX_TEAMS = 1_000;

/** A value of a team with its two names. */
export interface NamedTeamValue<Value> {
  name: string;
  slug: string;
  value: Value;
  /** True for a value of another team: an own one wins over it by either name. */
  isForeign?: boolean;
}

export interface TeamValuesDeps {
  credentials: { listReferences(teamId: number, isTest?: boolean): Promise<NamedTeamValue<string>[]> };
  resources: { listValues(teamId: number, isTest?: boolean): Promise<NamedTeamValue<JsonValue>[]> };
  /** For the names of stories; in templates a story's value is its id. */
  database: Pick<Database, 'read'>;
}

/** Values of teams with a memory, of which parts can be forgotten. */
export interface CachedTeamValues extends TeamValues, ForgetsTeams {
  /** Names and ids of stories are read again, of all teams. */
  forgetStories(): void;
}

/** Returns the TeamValues over the database, cached for a few seconds; one load at a time per team and kind. */
export function createTeamValuesLoader(deps: TeamValuesDeps): CachedTeamValues {
  const resourcesWith = (isTest: boolean) =>
    keep(async (teamId) => byNameAndSlug(await deps.resources.listValues(teamId, isTest)));
  const credentialsWith = (isTest: boolean) =>
    keep(async (teamId) => byNameAndSlug(await deps.credentials.listReferences(teamId, isTest)));
  const live = { resources: resourcesWith(false), credentials: credentialsWith(false) };
  const test = { resources: resourcesWith(true), credentials: credentialsWith(true) };
  const stories = keep(async (teamId) => {
    const rows = await deps.database.read((session) => findStoryNamesOfTeam(session, teamId));
    return byNameAndSlug(rows.map(({ id, name }) => ({ name, slug: slugOf(name), value: id as JsonValue })));
  });
  const caches = [live.resources, live.credentials, test.resources, test.credentials];
  return {
    async load(teamId, needs, since) {
      const values = needs.isTest === true ? test : live;
      const [ofResources, ofCredentials, ofStories] = await Promise.all([
        needs.resources ? values.resources.of(teamId, since) : new Map<string, JsonValue>(),
        needs.credentials ? values.credentials.of(teamId, since) : new Map<string, string>(),
        needs.stories ? stories.of(teamId, since) : new Map<string, JsonValue>(),
      ]);
      return { resources: ofResources, credentials: ofCredentials, stories: ofStories };
    },
    forget(teamIds) {
      for (const cache of caches) cache.forget(teamIds);
    },
    forgetStories: () => stories.forget('all'),
    async slugOf(teamId) {
      const team = await deps.database.read((session) => findTeam(teamId, session));
      return team && slugOf(team.name);
    },
  };
}

/** The values of teams by name, each read once and kept for a while. */
export interface KeptValues<Value> extends ForgetsTeams {
  /**
   * `since`: values that were read earlier do not count, by `performance.now()`. They are read again for this once a second
   * at most.
   */
  of(teamId: number, since?: number): Promise<Map<string, Value>>;
}

/** Caches results of `load` for `FRESH_MS`. Failures are not cached. */
export function keep<Value>(load: (teamId: number) => Promise<Map<string, Value>>): KeptValues<Value> {
  interface Loading {
    values: Promise<Map<string, Value>>;
    begunAt: number;
    /** Time until which they are new enough for everybody. */
    newUntil: number;
  }
  const loads = new LRUCache<number, Loading>({ max: MAX_TEAMS, ttl: FRESH_MS });
  return {
    of(teamId, since = 0) {
      const known = loads.get(teamId);
      const now = performance.now();
      if (known !== undefined && (known.begunAt >= since || now < known.newUntil)) return known.values;
      const newUntil = known === undefined ? 0 : now + AGAIN_MS;
      const loading = { values: load(teamId), begunAt: now, newUntil };
      loads.set(teamId, loading);
      loading.values.catch(() => {
        if (loads.peek(teamId) === loading) loads.delete(teamId);
      });
      return loading.values;
    },
    forget(teamIds) {
      if (teamIds === 'all') loads.clear();
      else for (const teamId of teamIds) loads.delete(teamId);
    },
  };
}

/**
 * Returns values by name and slug. A name wins over another item's slug; of equal slugs the first one wins. Values of
 * the own team win over those of others, so that no other team can take the place of one.
 */
export function byNameAndSlug<Value>(items: NamedTeamValue<Value>[]): Map<string, Value> {
  const foreign = items.filter(({ isForeign }) => isForeign === true);
  if (foreign.length === 0) return ofOneTeam(items);
  const own = items.filter(({ isForeign }) => isForeign !== true);
  return new Map([...ofOneTeam(foreign), ...ofOneTeam(own)]);
}

function ofOneTeam<Value>(items: NamedTeamValue<Value>[]): Map<string, Value> {
  const values = new Map<string, Value>();
  for (const { slug, value } of items) if (!values.has(slug)) values.set(slug, value);
  for (const { name, value } of items) values.set(name, value);
  return values;
}
