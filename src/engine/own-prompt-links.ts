import type { Config } from '../config.js';
import type { Database } from '../db/database.js';
import { createMadeOnce } from '../db/made-once.js';
import { createPromptLinks, type PromptLinks } from './prompt-links.js';

/** The links of prompts on this server: with its own secret, made once, and its own address. */
export function createOwnPromptLinks(
  database: Database,
  { baseUrl, promptExpirySeconds }: Pick<Config, 'promptExpirySeconds'> & { baseUrl: string },
): PromptLinks {
  return createPromptLinks({
    secret: createMadeOnce(database, { name: 'prompt_secret', bytes: 32 }),
    baseUrl,
    expiresInSeconds: promptExpirySeconds,
  });
}
