import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
import { isAbsent } from '../../text/problems.js';

const PAGE = 50;
/** Which credentials are listed, by the names of the API. */
export const NARROWINGS = ['RESTRICTED', 'UNRESTRICTED', 'UNUSED_IN_ACTIONS'] as const;
export type Narrowing = (typeof NARROWINGS)[number];

/** The credentials that are asked for. */
export interface CredentialFilters {
  search: string;
  team: number | undefined;
  narrowing: Narrowing | undefined;
  page: number;
}

/** Returns a page of the credentials that the person may use. No response has a secret. */
export function useCredentials({ search, team, narrowing, page }: CredentialFilters) {
  return useQuery({
    queryKey: keys.credentials(search, team, narrowing, page),
    placeholderData: keepPreviousData,
    queryFn: () =>
      api.userCredentials.list({
        page,
        per_page: PAGE,
        ...(search !== '' && { search }),
        ...(team !== undefined && { team_id: team }),
        ...(narrowing !== undefined && { filter: narrowing }),
      }),
  });
}

/**
 * Returns one credential with the actions that name it, and the id of the key of this server that it holds. Whoever may
 * not revoke that key does not see it, and may not delete the credential.
 */
export function useCredential(id: number) {
  return useQuery({
    queryKey: keys.credential(id),
    queryFn: async () => {
      const [credential, { api_key_id: keyId }] = await Promise.all([
        api.userCredentials.get({ id, include_referencing_action_ids: true }),
        api.credentials.get({ id }),
      ]);
      return { credential, keyId, mayRevoke: keyId === null || (await seesKey(keyId)) };
    },
  });
}

async function seesKey(id: number): Promise<boolean> {
  try {
    await api.apiKeys.get({ id });
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}
