import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
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

/** Returns the people and accounts of keys to choose from. */
export function useAccounts(isOwner: boolean) {
  return useQuery({
    queryKey: keys.people.accounts,
    enabled: isOwner,
    staleTime: 60_000,
    queryFn: async () => (await api.users.list({ per_page: MOST_PEOPLE })).users,
  });
}
