/** Roles in a team, weakest first (spec §2.2). */
export const ROLES = ['VIEWER', 'EDITOR', 'TEAM_ADMIN'] as const;
export type Role = (typeof ROLES)[number];

/** The identity and the rights of a request (spec §2.2). */
export interface Actor {
  /** 0 without a key: on the command line, and with a session. */
  keyId: number;
  /** The session of a person who signed in to the console. */
  sessionId?: number;
  kind: 'personal' | 'tenant' | 'team';
  tenantId: number;
  /** The user recorded for writes; a service account for tenant and team keys. */
  userId: number;
  userEmail: string;
  /** The tenant is being moved, or was moved: nothing may be written. */
  isFrozen?: boolean;
  /** Full access to the tenant. */
  isOwner: boolean;
  /**
   * Role by team id, teams of the actor's tenant only. An owner has every team of the tenant here, as TEAM_ADMIN.
   * In order: the teams the user is a member of, oldest membership first, then the others by id.
   */
  roles: ReadonlyMap<number, Role>;
  /** The team of a team key. */
  keyTeamId: number | undefined;
}
