import { useQueryClient } from '@tanstack/react-query';
import type { Session } from '../api/session-api.js';

/** The key of the query that holds the session. */
export const SESSION_KEY = ['session'] as const;

/** Returns the session of the signed-in person; pages are shown only with one. */
export function useSession(): Session {
  const session = useQueryClient().getQueryData<Session>(SESSION_KEY);
  if (!session) throw new Error('Nobody is signed in.');
  return session;
}

/** Whether the signed-in person owns the tenant. */
export function useIsOwner(): boolean {
  return useSession().user.is_owner;
}
