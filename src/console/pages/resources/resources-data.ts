import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';

/** Values of resources may be large, so a page of the list is short. */
const PAGE = 25;
/** The resources that are asked for. */
export interface ResourceFilters {
  /** Part of the name. */
  search: string;
  team: number | undefined;
  /** Only unused resources. */
  unused: boolean;
  page: number;
}

/** Returns a page of the resources that the person may use. */
export function useResources({ search, team, unused, page }: ResourceFilters) {
  return useQuery({
    queryKey: keys.resources(search, team, unused, page),
    placeholderData: keepPreviousData,
    queryFn: () =>
      api.globalResources.list({
        page,
        per_page: PAGE,
        ...(search !== '' && { search }),
        ...(team !== undefined && { team_id: team }),
        ...(unused && { filter: 'UNUSED_IN_ACTIONS' as const }),
      }),
  });
}

/** Returns one resource with the actions that name it. Its values are texts: numbers keep all digits. */
export function useResource(id: number) {
  return useQuery({
    queryKey: keys.resource(id),
    queryFn: () => api.globalResources.get({ id, include_referencing_action_ids: true }),
  });
}
