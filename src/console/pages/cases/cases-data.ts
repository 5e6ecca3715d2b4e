import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Case } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { keys, ofKind } from '../../api/keys.js';
import { useMutation } from '../../api/use-mutation.js';
import { type CaseFilters, inputOf } from './case-query.js';

const PAGE = 50;
/** Users of one response; more do not fit a list to choose from. */
const MOST_PEOPLE = 500;
/** The stream tells of changes; while it is broken, an open page asks again by itself. */
const AGAIN_MS = 60_000;
const PEOPLE_FRESH_MS = 60_000;

/** Returns a page of cases. */
export function useCases(filters: CaseFilters) {
  const input = inputOf(filters);
  return useQuery({
    queryKey: keys.cases.list(input),
    queryFn: () => api.cases.list({ ...input, per_page: PAGE }),
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
  });
}

/** Returns the users of the tenant that the signed-in person may see, by name. */
export function usePeople() {
  return useQuery({
    queryKey: keys.userNames,
    staleTime: PEOPLE_FRESH_MS,
    queryFn: async () => {
      const { users } = await api.users.list({ per_page: MOST_PEOPLE });
      return users
        .map(({ id, email, first_name: first, last_name: last }) => ({
          id,
          email,
          name: personName({ first_name: first, last_name: last, email }),
        }))
        .toSorted((one, other) => one.name.localeCompare(other.name));
    },
  });
}

/** Returns the name of a user; the address of one without a name. */
export function personName(user: { first_name: string; last_name: string; email: string }): string {
  return `${user.first_name} ${user.last_name}`.trim() || user.email;
}

/** Returns what makes changes of cases; all pages of cases read them again afterwards. */
export function useCaseWork(options: { quiet?: boolean; isParallel?: boolean; onDone?: () => void } = {}) {
  const client = useQueryClient();
  return useMutation(
    {
      meta: { quiet: options.quiet === true },
      mutationFn: (work: () => Promise<unknown>) => work(),
      onSuccess: () => options.onDone?.(),
      onSettled: () => client.invalidateQueries({ queryKey: ofKind('cases') }),
    },
    options.isParallel,
  );
}

/**
 * Gives a case another state or priority. What it has already is not sent: somebody else may have changed that meanwhile.
 * @throws FabulaError that names each unmet condition in `details`.
 */
export const moveCase = (
  one: Pick<Case, 'case_id' | 'status' | 'priority'>,
  { status, priority = one.priority }: Pick<Case, 'status'> & Partial<Pick<Case, 'priority'>>,
) =>
  api.cases.update({
    id: one.case_id,
    ...(status !== one.status && { status }),
    ...(priority !== one.priority && { priority }),
  });
