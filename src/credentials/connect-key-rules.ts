import type { Actor, Role } from '../access/auth/actor.js';
import type { Config } from '../config/config.js';
import type { Problem } from '../platform/errors.js';
import type { Usable } from '../platform/validation/partial-input.js';

/** The key of the connect flow; a team key is of the credential's own team. */
export interface KeyOfCredential {
  kind: Actor['kind'];
  role?: Role | undefined;
  expiresAt?: Date | undefined;
}

/**
 * What is wrong with an API key that a credential is to hold: whoever edits stories of the team has its rights. So it
 * gives no more than an EDITOR of the team has, unless the operator says so (decision 0026).
 */
export function keyOfStoriesProblems(
  { kind, role }: Usable<Pick<KeyOfCredential, 'kind' | 'role'>>,
  { credentialKeysAboveEditor }: Pick<Config, 'credentialKeysAboveEditor'>,
): Problem[] {
  if (credentialKeysAboveEditor) return [];
  if (kind === 'tenant' || kind === 'personal') return [tooStrong('key.kind', `A ${kind} key`)];
  return role === 'TEAM_ADMIN' ? [tooStrong('key.role', 'A key of a TEAM_ADMIN')] : [];
}

function tooStrong(details: string, key: string): Problem {
  return {
    message: `${key} cannot be a credential: whoever edits stories of the team would have its rights. Use a team key with the role EDITOR or VIEWER`,
    details,
  };
}
