import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schedule } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';

const AGAIN_MS = 20_000;
/** The calendar shows the schedules of one page. */
const PAGE = 200;

/** Returns a page of schedules with their starts up to a time, perhaps of one story. */
export function useSchedules(asked: { page: number; story: number | undefined; until: string }) {
  const { page, story, until } = asked;
  return useQuery({
    queryKey: ['schedules', page, story, until],
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
    queryFn: () =>
      api.listSchedules({
        page,
        per_page: PAGE,
        starts_until: until,
        ...(story !== undefined && { story_id: story }),
      }),
  });
}

/** Enables and disables the action of a schedule. */
export function useSwitch({ action }: Schedule) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (disabled: boolean) => api.updateAction({ id: action.id, disabled }),
    onSettled: () => client.invalidateQueries({ queryKey: ['schedules'] }),
  });
}
