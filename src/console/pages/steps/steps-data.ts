import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Step, StepUpdate } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
import { useIsOwner, useMay } from '../../api/signed-in.js';

const PAGE = 50;
/** The stories that one request may update. */
export const MOST_UPDATES = 50;

/** The steps that are asked for. */
export interface StepFilters {
  /** Part of the name. */
  search: string;
  /** Steps that stories of this team may use. */
  team: number | undefined;
  page: number;
}

/** Returns a page of the steps that the person may see. */
export function useSteps({ search, team, page }: StepFilters) {
  return useQuery({
    queryKey: keys.steps.list(search, team, page),
    placeholderData: keepPreviousData,
    queryFn: () =>
      api.steps.list({
        page,
        per_page: PAGE,
        ...(search !== '' && { search }),
        ...(team !== undefined && { team_id: team }),
      }),
  });
}

/** Returns one step. */
export function useStep(id: number) {
  return useQuery({ queryKey: keys.step(id).self, queryFn: () => api.steps.get({ id }) });
}

/** Returns a page of the stories that use a step. */
export function useStepUses(id: number, page: number) {
  return useQuery({
    queryKey: keys.step(id).uses(page),
    placeholderData: keepPreviousData,
    queryFn: () => api.steps.uses.list({ id, page, per_page: PAGE }),
  });
}

/** Returns the newest versions of a step. */
export function useStepVersions(id: number) {
  return useQuery({
    queryKey: keys.step(id).versions,
    queryFn: () => api.steps.versions.list({ id, per_page: PAGE }),
  });
}

/** Returns what an update of these stories would do. */
export function useUpdatePreview({ id, version }: Step, storyIds: readonly number[]) {
  return useQuery({
    queryKey: keys.step(id).preview(storyIds, version),
    gcTime: 0,
    queryFn: async (): Promise<StepUpdate[]> =>
      (
        await api.steps.updates.previewMany({
          id,
          version,
          stories: storyIds.map((story) => ({ id: story })),
        })
      ).updates,
  });
}

/** Whether the person may change a step: those of the tenant belong to its owners. */
export function useMayChangeStep({ team_id: team }: Pick<Step, 'team_id'>): boolean {
  const isOwner = useIsOwner();
  const mayWrite = useMay('write', team ?? undefined);
  return team === null ? isOwner : mayWrite;
}
