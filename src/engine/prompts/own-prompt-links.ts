import type { Config } from '../../config/config.js';
import type { Database } from '../../platform/mysql/database.js';

import { createPromptLinks, type PromptLinks } from './prompt-links.js';
import { promptSecretOf } from './prompt-secret.js';

/** The links of prompts on this server: with its own secret, made once, and its own address. */
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
