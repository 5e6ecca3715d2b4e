import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
import { nameOf } from '../team/team-data.js';
import { type AuditFilters, inputOf } from './audit-filters.js';

const MOST_PEOPLE = 500;

/** Returns a page of the audit log, newest first. The live event of a new entry invalidates it. */
export function useAudit(filters: AuditFilters, isOwner: boolean) {
  return useQuery({
    queryKey: keys.audit.list(filters),
    enabled: isOwner,
    placeholderData: keepPreviousData,
    queryFn: () => api.auditLogs.list(inputOf(filters, Date.now())),
  });
}

const MOST_THINGS = 500;

/** Returns the names of the things of a type, by id; none for a type whose things have no list of names. */
export function useThingNames(type: string) {
  return useQuery({
    queryKey: keys.audit.names(type),
    staleTime: 60_000,
    queryFn: async () => {
      const named = (await NAMED[type]?.()) ?? [];
      const sorted = named.toSorted((one, other) => one.name.localeCompare(other.name));
      return new Map(sorted.map(({ id, name }): [number, string] => [id, name]));
    },
  });
}

type Named = { id: number; name: string };
const page = { per_page: MOST_THINGS };
const users = async (): Promise<Named[]> =>
  (await api.users.list(page)).users.map((user) => ({ id: user.id, name: nameOf(user) }));

/** The lists of things that have names. */
const NAMED: Readonly<Record<string, () => Promise<Named[]>>> = {
  story: async () => (await api.stories.list({ ...page, order: 'NAME' })).stories,
  credential: async () => (await api.userCredentials.list(page)).user_credentials,
  resource: async () => (await api.globalResources.list(page)).global_resources,
  folder: async () => (await api.folders.list(page)).folders,
  tag: async () => (await api.tags.list(page)).tags,
  team: async () => (await api.teams.list(page)).teams,
  record_type: async () => (await api.recordTypes.list(page)).record_types,
  user: users,
  member: users,
};

/** Returns the people and accounts of keys to choose from. */
export function useAccounts(isOwner: boolean) {
  return useQuery({
    queryKey: keys.people.accounts,
    enabled: isOwner,
    staleTime: 60_000,
    queryFn: async () => (await api.users.list({ per_page: MOST_PEOPLE })).users,
  });
}
