import { createHash } from 'node:crypto';
import type { Session } from '../../platform/mysql/session.js';

/** A recipient of a story that is an http or https address. */
export interface WebRecipient {
  storyId: number;
  address: string;
}

/** Addresses are too long for a key. */
const hashOf = (address: string) => createHash('sha256').update(address).digest('hex');

/** Returns the secret that signs requests to the recipient; undefined: there is none. */
export async function findRecipientSecret(
  { storyId, address }: WebRecipient,
  session: Session,
): Promise<string | undefined> {
  const [row] = await session.rows<{ secret: string }>(
    'SELECT secret FROM story_recipient_secrets WHERE story_id = ? AND address_hash = ?',
    [storyId, hashOf(address)],
  );
  return row?.secret;
}

/** Stores the secret of the recipient in place of an earlier one; undefined: it has none from now on. */
export async function setRecipientSecret(
  { storyId, address }: WebRecipient,
  secret: string | undefined,
  session: Session,
): Promise<void> {
  await session.run('DELETE FROM story_recipient_secrets WHERE story_id = ? AND address_hash = ?', [
    storyId,
    hashOf(address),
  ]);
  if (secret === undefined) return;
  await session.run('INSERT INTO story_recipient_secrets (story_id, address_hash, secret) VALUES (?)', [
    [storyId, hashOf(address), secret],
  ]);
}

/** Deletes the secrets of a story's recipients. */
export async function deleteRecipientSecrets(storyId: number, session: Session): Promise<void> {
  await session.run('DELETE FROM story_recipient_secrets WHERE story_id = ?', [storyId]);
}
