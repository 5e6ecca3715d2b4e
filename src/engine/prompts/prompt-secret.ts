import type { Database } from '../../platform/mysql/database.js';
import { createPersistentSecret } from '../../platform/mysql/schema/persistent-secret.js';

/** Returns a function for the database's secret for ids of prompts; it reads the database once. */
export function promptSecretOf(database: Pick<Database, 'read'>): () => Promise<string> {
  return createPersistentSecret(database, { name: 'prompt_secret', bytes: 32 });
}
