import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';

const AGAIN_MS = 15_000;

/** Returns the quotas of the tenant: how much is used, and what waits for them. */
export function useQuotas() {
  return useQuery({
    queryKey: keys.quotas,
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
    queryFn: async () => (await api.tenants.usage.get()).quotas,
  });
}
