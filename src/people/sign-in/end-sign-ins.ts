import type { Session } from '../../platform/mysql/session.js';
import { deleteLoginLinks } from './login-link-store.js';
import { deleteSessionsOf } from './session-store.js';

/** Ends all sessions and links of a user who may not sign in any more, within the caller's transaction. */
export async function endSignInsOf(userId: number, session: Session): Promise<void> {
  await deleteSessionsOf(userId, session);
  await deleteLoginLinks(userId, session);
}
