import { type Actor, rightsOf } from '../../../../api/face.js';
import type { FoundSession, PersonSession, Profile } from '../../../../people/face.js';
import { slugOf } from '../../../../platform/text/slug.js';
import { timestamp } from '../../../../platform/time/timestamp.js';
import { BOARD_PATH } from '../../admin-paths.js';

/** Returns the session as the console shows it to its person. */
export function presentOwnSession({ session, actor }: FoundSession, profile: Profile, isOperator: boolean) {
  const { firstName, lastName, avatarUrl, tenantName, hasPassword, teams, owners } = profile;
  return {
    id: session.id,
    user: {
      id: actor.userId,
      name: `${firstName} ${lastName}`.trim() || actor.userEmail,
      email: actor.userEmail,
      first_name: firstName,
      last_name: lastName,
      avatar_url: avatarUrl,
      role: roleOf(actor),
      is_owner: actor.isOwner,
      has_password: hasPassword,
    },
    tenant: { id: actor.tenantId, name: tenantName },
    teams: teams.map((team) => ({ ...team, slug: slugOf(team.name), rights: rightsOf(team.role) })),
    owners,
    method: session.method,
    created_at: timestamp(session.createdAt),
    expires_at: timestamp(session.expiresAt),
    board_path: isOperator ? BOARD_PATH : null,
  };
}

/** `OWNER`, or the strongest role in a team; null without a team. */
function roleOf({ isOwner, roles }: Actor): string | null {
  if (isOwner) return 'OWNER';
  const held = [...roles.values()];
  return ['TEAM_ADMIN', 'EDITOR', 'VIEWER'].find((role) => held.some((one) => one === role)) ?? null;
}

/** Returns a session in the list. `current`: the one of this request. */
export function presentListedSession(session: PersonSession, currentId: number) {
  return {
    id: session.id,
    method: session.method,
    created_at: timestamp(session.createdAt),
    last_seen_at: timestamp(session.lastSeenAt),
    expires_at: timestamp(session.expiresAt),
    address: session.ip,
    user_agent: session.userAgent,
    current: session.id === currentId,
  };
}
