import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { GraphAction } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import { namedIn } from '../../../story-model/reading/team-value-names.js';
import { slugOf } from '../../../text/action-slug.js';

/** The most that one answer may hold. A team with more has no marks: they might be wrong. */
const MOST = 500;
const NOTHING: readonly string[] = [];

interface TeamValue {
  name: string;
  slug: string;
  team_id: number;
  read_access: 'TEAM' | 'GLOBAL' | 'SPECIFIC_TEAMS';
}

/** Returns what finds, for an action, the credentials and resources that it names and the team lacks. */
export function useMissingValues(teamId: number): (action: GraphAction) => readonly string[] {
  const { data } = useQuery({
    queryKey: keys.teamValues(teamId),
    queryFn: async () => {
      const [credentials, resources] = await Promise.all([
        api.userCredentials.list({ per_page: MOST }),
        api.globalResources.list({ per_page: MOST }),
      ]);
      return {
        credential: wordsFor(credentials.user_credentials, teamId),
        resource: wordsFor(resources.global_resources, teamId),
      };
    },
  });
  return useMemo(() => createFinder(data), [data]);
}

type TeamWords = Record<'credential' | 'resource', ReadonlySet<string> | undefined>;

/** Undefined: what the team has is not known yet. */
function createFinder(data: TeamWords | undefined): (action: GraphAction) => readonly string[] {
  const found = new WeakMap<object, readonly string[]>();
  return ({ options }) => {
    const known = found.get(options);
    if (known !== undefined || data === undefined) return known ?? NOTHING;
    const lacked = namedIn(options)
      .filter(({ kind, name }) => data[kind]?.has(name) === false && !data[kind].has(slugOf(name)))
      .map(({ kind, name }) => `${kind} ${name}`);
    const missing = lacked.length === 0 ? NOTHING : lacked;
    found.set(options, missing);
    return missing;
  };
}

/** Returns the words by which templates of the team find these values; undefined: there may be more of them. */
function wordsFor(values: readonly TeamValue[], teamId: number): Set<string> | undefined {
  if (values.length === MOST) return undefined;
  const usable = values.filter((value) => value.team_id === teamId || value.read_access !== 'TEAM');
  return new Set(usable.flatMap(({ name, slug }) => [name, slug, slugOf(name)]));
}
