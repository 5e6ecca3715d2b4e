import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../api/console-api.js';
import { type AuditFilters, inputOf } from './audit-filters.js';

const AGAIN_MS = 10_000;
const MOST_PEOPLE = 500;

/** Returns a page of the audit log, newest first. The first page is asked for again by itself. */
export function useAudit(filters: AuditFilters, isOwner: boolean) {
  return useQuery({
    queryKey: ['audit', filters],
    enabled: isOwner,
    placeholderData: keepPreviousData,
    refetchInterval: filters.page === 1 ? AGAIN_MS : false,
    queryFn: () => api.listAuditLogs(inputOf(filters, Date.now())),
  });
}

/** Returns the people and accounts of keys to choose from. */
export function useAccounts(isOwner: boolean) {
  return useQuery({
    queryKey: ['people', 'accounts'],
    enabled: isOwner,
    staleTime: 60_000,
    queryFn: async () => (await api.listUsers({ per_page: MOST_PEOPLE })).users,
  });
}
