import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Case, CaseActivity } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
import { personName, usePeople } from '../cases/cases-data.js';

/** The stream tells of changes; while it is broken, an open page asks again by itself. */
const AGAIN_MS = 60_000;
const ACTIVITIES = 50;

/** Returns a case with its parts. */
export function useCase(id: number) {
  return useQuery({
    queryKey: keys.case(id).self,
    queryFn: () => api.cases.get({ id }),
    refetchInterval: AGAIN_MS,
    enabled: Number.isSafeInteger(id),
  });
}

/** Returns which closure conditions hold now; asked again when the case has changed. */
export function useConditions({ case_id: id, updated_at: at, closure_conditions: conditions }: Case) {
  return useQuery({
    queryKey: keys.case(id).conditions(at),
    queryFn: async () => (await api.cases.closureConditions.get({ id })).closure_conditions,
    placeholderData: keepPreviousData,
    enabled: conditions.length > 0,
  });
}

/** Returns the newest activities of a case; each further page goes on with older ones. */
export function useActivities({ case_id: id, updated_at: at }: Case) {
  const activities = useInfiniteQuery({
    queryKey: keys.case(id).activities,
    queryFn: ({ pageParam }) => (pageParam === undefined ? readLast(id) : readOne(id, pageParam)),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ from }) => (from > 1 ? from - 1 : undefined),
  });
  const { refetch } = activities;
  const readAt = useRef(at);
  useEffect(() => {
    if (readAt.current === at) return;
    readAt.current = at;
    void refetch();
  }, [at, refetch]);
  return activities;
}

interface ActivityPage {
  activities: CaseActivity[];
  /** The number of the page; of the earlier one where there are two. */
  from: number;
}

async function readOne(id: number, page: number): Promise<ActivityPage & { pages: number }> {
  const { activities, meta } = await api.cases.activities.list({ id, page, per_page: ACTIVITIES });
  return { activities, from: page, pages: meta.pages };
}

/** The list is oldest first, and its last page may hold little, so the one before it is read too. */
async function readLast(id: number): Promise<ActivityPage> {
  const first = await readOne(id, 1);
  if (first.pages === 1) return first;
  const [before, last] = await Promise.all([readOne(id, first.pages - 1), readOne(id, first.pages)]);
  return { activities: [...before.activities, ...last.activities], from: before.from };
}

/** Returns the name of a user of the tenant by its id; `user 12` for one that is not known. */
export type NameOf = (userId: number) => string;

/** Returns what names the users of the tenant, those that the case shows among them. */
export function useNameOf(one: Case): NameOf {
  const people = usePeople().data ?? [];
  const names = new Map(people.map(({ id, name }): [number, string] => [id, name]));
  for (const user of [...one.assignees, one.author, one.opened_by, one.resolved_by]) {
    if (user !== null) names.set(Number(user.user_id), personName(user));
  }
  return (userId) => names.get(userId) ?? `user ${userId}`;
}
