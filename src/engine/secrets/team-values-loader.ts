import { LRUCache } from 'lru-cache';
import type { Database } from '../../platform/mysql/database.js';
import { findTeam } from '../../access/tenants/teams/team-store.js';
import { findStoryNamesOfTeam } from '../../stories/graph/story-graph-store.js';
import { slugOf } from '../../platform/text/slug.js';
import type { JsonValue } from '../../platform/json.js';
import type { TeamValues } from '../../language/team-values.js';

/** Changes of credentials and resources reach every process within this time. */
const FRESH_MS = 5_000;
const MAX_TEAMS = 1_000;

/** A value of a team with its two names. */
export interface Named<Value> {
  name: string;
  slug: string;
  value: Value;
  /** True for a value of another team: an own one wins over it by either name. */
  isForeign?: boolean;
}

export interface TeamValuesDeps {
  credentials: { listReferences(teamId: number, isTest?: boolean): Promise<Named<string>[]> };
  resources: { listValues(teamId: number, isTest?: boolean): Promise<Named<JsonValue>[]> };
  /** For the names of stories; in templates a story's value is its id. */
  database: Pick<Database, 'read'>;
}

/** Returns the TeamValues over the database, cached for a few seconds; one load at a time per team and kind. */
export function createTeamValues(deps: TeamValuesDeps): TeamValues {
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
  return {
    async load(teamId, needs) {
      const values = needs.isTest === true ? test : live;
      const [ofResources, ofCredentials, ofStories] = await Promise.all([
        needs.resources ? values.resources(teamId) : new Map<string, JsonValue>(),
        needs.credentials ? values.credentials(teamId) : new Map<string, string>(),
        needs.stories ? stories(teamId) : new Map<string, JsonValue>(),
      ]);
      return { resources: ofResources, credentials: ofCredentials, stories: ofStories };
    },
    async slugOf(teamId) {
      const team = await deps.database.read((session) => findTeam(teamId, session));
      return team && slugOf(team.name);
    },
  };
}

/** Caches results of `load` for `FRESH_MS`. Failures are not cached. */
export function keep<Value>(load: (teamId: number) => Promise<Map<string, Value>>) {
  const loads = new LRUCache<number, Promise<Map<string, Value>>>({ max: MAX_TEAMS, ttl: FRESH_MS });
  return (teamId: number): Promise<Map<string, Value>> => {
    const known = loads.get(teamId);
    if (known !== undefined) return known;
    const loading = load(teamId);
    loads.set(teamId, loading);
    loading.catch(() => loads.delete(teamId));
    return loading;
  };
}

/**
 * Returns values by name and slug. A name wins over another item's slug; of equal slugs the first one wins. Values of
 * the own team win over those of others, so that no other team can take the place of one.
 */
export function byNameAndSlug<Value>(items: Named<Value>[]): Map<string, Value> {
  const foreign = items.filter(({ isForeign }) => isForeign === true);
  if (foreign.length === 0) return ofOneTeam(items);
  const own = items.filter(({ isForeign }) => isForeign !== true);
  return new Map([...ofOneTeam(foreign), ...ofOneTeam(own)]);
}

function ofOneTeam<Value>(items: Named<Value>[]): Map<string, Value> {
  const values = new Map<string, Value>();
  for (const { slug, value } of items) if (!values.has(slug)) values.set(slug, value);
  for (const { name, value } of items) values.set(name, value);
  return values;
}
