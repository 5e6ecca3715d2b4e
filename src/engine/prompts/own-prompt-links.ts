import type { Config } from '../../config/face.js';
import type { Database } from '../../platform/mysql/database.js';

import { createPromptLinks, type PromptLinks } from './prompt-links.js';
import { createPersistentSecret } from '../../platform/mysql/schema/persistent-secret.js';

/** Returns this server's prompt links: with its base URL and the secret stored in the database. */
export function createOwnPromptLinks(
  database: Database,
  { baseUrl, promptExpirySeconds }: Pick<Config, 'promptExpirySeconds'> & { baseUrl: string },
): PromptLinks {
  return createPromptLinks({
    secret: promptSecretOf(database),
    baseUrl,
    expiresInSeconds: promptExpirySeconds,
  });
}

/** Returns a function for the database's secret for ids of prompts; it reads the database once. */
export function promptSecretOf(database: Pick<Database, 'read'>): () => Promise<string> {
  return createPersistentSecret(database, { name: 'prompt_secret', bytes: 32 });
}
