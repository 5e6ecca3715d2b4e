import type { Database } from '../../../platform/mysql/database.js';
import { retryLockConflicts } from '../../../platform/mysql/commit/retry-conflicts.js';
import { type CredentialCipher, CredentialCipherError } from './credential-cipher.js';
import { countCredentials, findSealedOtherwise, lockCredential, reseal } from '../credential-store.js';

/** The result of a rotation. */
export interface Rotation {
  /** Encrypted under the current key by this run. */
  rotated: number;
  /** Already encrypted under the current key. */
  current: number;
  /** Credentials that none of the configured keys decrypts. They stay unchanged. */
  unreadable: { id: number; teamId: number; name: string }[];
}

const BATCH = 100;

/**
 * Encrypts every credential under the cipher's current key. Each is a transaction of its own: an interrupted run keeps
 * its progress, and the next run continues from there. Running processes can read credentials as long as they have
 * both keys. `onRotated` gets the team of each credential.
 */
export async function rotateCredentials(
  database: Pick<Database, 'read' | 'transaction'>,
  cipher: CredentialCipher,
  onRotated: (teamId: number) => void = () => undefined,
): Promise<Rotation> {
  const rotation: Rotation = { rotated: 0, current: 0, unreadable: [] };
  for (let last = 0; ; ) {
    const ids = await database.read((session) => findSealedOtherwise(cipher.head, last, BATCH, session));
    for (const id of ids) await rotateOne(id, { database, cipher, rotation, onRotated });
    if (ids.length < BATCH) break;
    last = ids.at(-1) ?? last;
  }
  const all = await database.read(countCredentials);
  rotation.current = Math.max(0, all - rotation.rotated - rotation.unreadable.length);
  return rotation;
}

interface Task {
  database: Pick<Database, 'transaction'>;
  cipher: CredentialCipher;
  rotation: Rotation;
  onRotated: (teamId: number) => void;
}

/** Works under the row's lock, so that a concurrent change of the value is neither lost nor undone. */
async function rotateOne(id: number, { database, cipher, rotation, onRotated }: Task): Promise<void> {
  const result = await retryLockConflicts(() =>
    database.transaction(async (session) => {
      const sealed = await lockCredential(id, session);
      if (sealed === undefined) return 'gone' as const;
      try {
        await reseal(id, cipher.encrypt(cipher.decrypt(sealed.encryptedValue, sealed), sealed), session);
        return sealed.teamId;
      } catch (error) {
        if (!(error instanceof CredentialCipherError)) throw error;
        return { id, teamId: sealed.teamId, name: sealed.name };
      }
    }),
  );
  if (result === 'gone') return;
  if (typeof result !== 'number') {
    rotation.unreadable.push(result);
    return;
  }
  rotation.rotated += 1;
  onRotated(result);
}
