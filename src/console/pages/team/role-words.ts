import type { TeamRole } from '../../api/session-api.js';

/** The roles in a team, the weakest first. */
export const ROLES: readonly TeamRole[] = ['VIEWER', 'EDITOR', 'TEAM_ADMIN'];

/** The roles as people call them. */
export const ROLE_WORDS: Readonly<Record<TeamRole, string>> = {
  VIEWER: 'Viewer',
  EDITOR: 'Editor',
  TEAM_ADMIN: 'Team admin',
};

/** Returns the role that a form names; a Viewer for any other text. */
export function roleIn(text: string): TeamRole {
  return ROLES.find((role) => role === text) ?? 'VIEWER';
}
