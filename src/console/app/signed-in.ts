import { useQueryClient } from '@tanstack/react-query';
import type { Session, TeamRole } from '../api/session-api.js';

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

const RANKS: Record<TeamRole, number> = { VIEWER: 1, EDITOR: 2, TEAM_ADMIN: 3 };

/** The teams in which the signed-in person has a role, or a stronger one. The server has the last word. */
export function useTeamsWith(role: TeamRole): Session['teams'] {
  return useSession().teams.filter((team) => RANKS[team.role] >= RANKS[role]);
}
