import type { Database } from '../db/database.js';
import { createMadeOnce } from '../db/made-once.js';

/** Gives the secret of this database that ids of prompts are made with; asks once. */
export function promptSecretOf(database: Pick<Database, 'read'>): () => Promise<string> {
  return createMadeOnce(database, { name: 'prompt_secret', bytes: 32 });
}
