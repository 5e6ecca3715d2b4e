import type { Database } from '../db/database.js';

/** A credential as it is stored. */
export interface StoredCredential {
  name: string;
  /** What templates call it besides its name. */
  slug: string;
  encryptedValue: Buffer;
}

export type CredentialStore = ReturnType<typeof createCredentialStore>;

export function createCredentialStore(database: Pick<Database, 'read'>) {
  return {
    /** Credentials of the team, oldest first. */
    list: (teamId: number): Promise<StoredCredential[]> =>
      database.read((session) =>
        session.rows<StoredCredential>(
          'SELECT name, slug, encrypted_value AS encryptedValue FROM credentials WHERE team_id = ? ORDER BY id',
          [teamId],
        ),
      ),

    /** Inserts the credential, or replaces the one of this name. */
    save: async (teamId: number, credential: StoredCredential): Promise<void> => {
      const { name, slug, encryptedValue } = credential;
      await database.read((session) =>
        session.run(
          'INSERT INTO credentials (team_id, name, slug, encrypted_value) VALUES (?, ?, ?, ?)' +
            ' ON DUPLICATE KEY UPDATE encrypted_value = VALUES(encrypted_value), updated_at = NOW(3)',
          [teamId, name, slug, encryptedValue],
        ),
      );
    },
  };
}
