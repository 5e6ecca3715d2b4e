import { useQueryClient } from '@tanstack/react-query';
import type { Right, Session } from './session-api.js';
import { CONSOLE_PATH } from './console-place.js';
import { keys } from './keys.js';

/** Returns the session of the signed-in person; pages are shown only with one. */
export function useSession(): Session {
  const session = useQueryClient().getQueryData<Session>(keys.session);
  if (!session) throw new Error('You are not signed in.');
  return session;
}

/** Returns the person of this installation whose work a browser keeps. Several installations may share an origin. */
export function useOwner(): string {
  return `${useSession().user.id} ${CONSOLE_PATH}`;
}

/** Whether the signed-in person owns the tenant. */
export function useIsOwner(): boolean {
  return useSession().user.is_owner;
}

/** Whether the signed-in person may see what concerns the whole installation. */
export function useIsOperator(): boolean {
  return useSession().board_path !== null;
}

/** Returns the teams in which the signed-in person has a right. */
export function useTeamsWith(right: Right): Session['teams'] {
  return useSession().teams.filter(({ rights }) => rights.includes(right));
}

/**
 * Whether the signed-in person has a right in all of these teams, or in some team if none is given. False for a team that
 * is not known yet.
 */
export function useMay(right: Right, ...teamIds: (number | undefined)[]): boolean {
  const teams = useTeamsWith(right);
  return teams.length > 0 && teamIds.every((wanted) => teams.some(({ id }) => id === wanted));
}
