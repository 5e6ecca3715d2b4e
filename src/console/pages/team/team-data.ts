import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';

const PAGE = 50;
const LARGEST_PAGE = 500;

/** Returns a page of the people that the person may see, each with its roles in teams. */
export function usePeople(page: number) {
  return useQuery({
    queryKey: keys.people.list(page),
    placeholderData: keepPreviousData,
    queryFn: () => api.admin.users.list({ page, per_page: PAGE, include: 'team_memberships' }),
  });
}

/** Returns one of them; null if there is none with this id. The API has roles only in the list. */
export function usePerson(id: number) {
  return useQuery({
    queryKey: keys.person(id),
    queryFn: async () => {
      const input = { include: 'team_memberships', per_page: LARGEST_PAGE } as const;
      for await (const person of api.admin.users.all(input)) if (person.id === id) return person;
      return null;
    },
  });
}

/** Returns a page of the teams that the person may see. */
export function useTeamList(page: number) {
  return useQuery({
    queryKey: keys.people.teams(page),
    placeholderData: keepPreviousData,
    queryFn: () => api.teams.list({ page, per_page: PAGE }),
  });
}

/** Returns one team. */
export function useTeam(id: number) {
  return useQuery({ queryKey: keys.team(id), queryFn: () => api.teams.get({ id }) });
}

/** Returns a page of the members of a team. */
export function useMembers(teamId: number, page: number) {
  return useQuery({
    queryKey: keys.people.members(teamId, page),
    placeholderData: keepPreviousData,
    queryFn: () => api.teams.members.list({ team_id: teamId, page, per_page: PAGE }),
  });
}

/** Returns a page of the keys that the person may see, without the keys themselves. */
export function useKeyList(page: number) {
  return useQuery({
    queryKey: keys.apiKeys(page),
    placeholderData: keepPreviousData,
    queryFn: () => api.apiKeys.list({ page, per_page: PAGE }),
  });
}

/** Returns the name of a person, or the address of somebody without one. */
export function nameOf(person: { first_name: string; last_name: string; email: string }): string {
  return `${person.first_name} ${person.last_name}`.trim() || person.email;
}
