import type { Actor, Role } from '../../../api/face.js';
import type { Config } from '../../../config/face.js';
import type { Problem } from '../../../platform/errors.js';

/**
 * Returns the faults of an API key for a credential. Everyone who edits stories of the team has the key's rights.
 * Therefore the key must not have more rights than an EDITOR of the team, unless the operator allows it (decision 0026).
 */
export function keyOfStoriesProblems(
  { kind, role }: { kind?: Actor['kind'] | undefined; role?: Role | undefined },
  { credentialKeysAboveEditor }: Pick<Config, 'credentialKeysAboveEditor'>,
): Problem[] {
  if (credentialKeysAboveEditor) return [];
  if (kind === 'tenant' || kind === 'personal') return [tooStrong('key.kind', `A ${kind} key`)];
  return role === 'TEAM_ADMIN' ? [tooStrong('key.role', 'A TEAM_ADMIN key')] : [];
}

function tooStrong(details: string, key: string): Problem {
  return {
    message: `${key} cannot be stored as a credential: every editor of the team’s stories would get its permissions. Use a team key with the role EDITOR or VIEWER`,
    details,
  };
}
