import type { Config } from '../../config/face.js';
import type { Database } from '../../platform/mysql/database.js';

import { createPromptLinks, type PromptLinks } from './prompt-links.js';
import { promptSecretOf } from './prompt-secret.js';

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
