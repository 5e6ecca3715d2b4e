import { Conflict } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logger.js';
import type { Database } from '../../../platform/mysql/database.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { CredentialCipher } from './credential-cipher.js';
import {
  findKeyFingerprint,
  findKeyOfMostSecrets,
  insertKeyFingerprint,
  moveKeyFingerprint,
} from './installation-key-store.js';

type Keys = Pick<CredentialCipher, 'fingerprint' | 'knows'>;

/** The key of a process that is not that of its database, by fingerprint. */
export interface ForeignKey {
  own: string;
  stored: string;
}

/**
 * Compares the key of this process with that of the database. A key that is new, or that came by a rotation
 * (`ENCRYPTION_KEY_PREVIOUS` has the stored one), becomes that of the database. Call it when a process starts.
 */
export async function adoptKey(session: Session, keys: Keys): Promise<ForeignKey | undefined> {
  const stored = await findKeyFingerprint(session);
  if (stored === undefined) await insertKeyFingerprint(await keyOfSecrets(session, keys), session);
  else if (keys.knows(stored)) await moveKeyFingerprint({ from: stored, to: keys.fingerprint }, session);
  return findForeignKey(session, keys);
}

/** Returns the fingerprints if this process has neither the key of the database nor one that came before it. */
export async function findForeignKey(session: Session, keys: Keys): Promise<ForeignKey | undefined> {
  const stored = await findKeyFingerprint(session);
  return stored === undefined || keys.knows(stored) ? undefined : { own: keys.fingerprint, stored };
}

/** @throws Conflict if something would be encrypted under a key that is not that of the database. */
export async function requireKnownKey(session: Session, keys: Keys): Promise<void> {
  const foreign = await findForeignKey(session, keys);
  if (foreign === undefined) return;
  throw new Conflict(
    'The ENCRYPTION_KEY of this server does not match its database, so nothing can be encrypted. Operators: run "fabula doctor"',
  );
}

/** A process with its database; without a key it encrypts nothing. */
export interface KeyOwner {
  config: { encryptionKey: Buffer | undefined };
  database: Pick<Database, 'read'>;
  credentials: { cipher(): CredentialCipher };
}

/** Returns the fingerprints if a process has another key than its database. */
export async function foreignKeyOf({
  config,
  database,
  credentials,
}: KeyOwner): Promise<ForeignKey | undefined> {
  if (config.encryptionKey === undefined) return undefined;
  return database.read((session) => findForeignKey(session, credentials.cipher()));
}

/** Adopts the key of a process that starts, and logs an error if it is another one than that of the database. */
export async function noteKey(
  { config, database, credentials }: KeyOwner,
  logger: Pick<Logger, 'error'>,
): Promise<void> {
  if (config.encryptionKey === undefined) return;
  const foreign = await database.read((session) => adoptKey(session, credentials.cipher()));
  if (foreign === undefined) return;
  // All in the message: the terminal of `npm start` shows nothing else of a line.
  logger.error(
    `ENCRYPTION_KEY has the fingerprint ${foreign.own}, its database expects ${foreign.stored}: stored credentials cannot be ` +
      'read, and none can be stored. Start with the old key, or set it in ENCRYPTION_KEY_PREVIOUS; if it is lost, ' +
      'run "fabula credential accept-key" (docs/operate/key-rotation.md#another-key)',
  );
}

/** Returns the key of most of what an earlier release has encrypted; else, and if this process knows that, its own. */
async function keyOfSecrets(session: Session, keys: Keys): Promise<string> {
  const found = await findKeyOfMostSecrets(session);
  return found === undefined || keys.knows(found) ? keys.fingerprint : found;
}
