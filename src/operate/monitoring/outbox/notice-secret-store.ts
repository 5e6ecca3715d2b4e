import type { Session } from '../../../platform/mysql/session.js';
import { findRecipientSecret } from '../../../stories/face.js';
import { findDigestSecret } from '../digest/digest-store.js';
import type { StoredNotice } from './notice-store.js';

/** Returns the secret that signs requests to this address; undefined: they are not signed. */
export async function findNoticeSecret(
  { storyId, teamId }: Pick<StoredNotice, 'storyId' | 'teamId'>,
  url: string,
  session: Session,
): Promise<string | undefined> {
  if (storyId === null) return findDigestSecret(teamId, session);
  return findRecipientSecret({ storyId, address: url }, session);
}
