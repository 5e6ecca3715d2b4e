import type { Database } from '../../platform/mysql/database.js';
import { createMadeOnce } from '../../platform/mysql/persistent-secret.js';

/** Gives the secret of this database that ids of prompts are made with; asks once. */
export function promptSecretOf(database: Pick<Database, 'read'>): () => Promise<string> {
  return createMadeOnce(database, { name: 'prompt_secret', bytes: 32 });
}
