import path from 'node:path';
import { readJsonFile, writePrivateJson } from '../embedded/private-file.js';
import type { SeedCredentials, Seeded } from './seed/seeded.js';

/** Path of the file with the credentials of the first start, readable only by this user. */
export const credentialsFile = (dataDir: string): string => path.join(dataDir, 'credentials.json');

/**
 * Returns the credentials that an earlier start wrote; undefined if the file is missing or holds no object.
 * @throws Error that names the file if it is not JSON.
 */
export function readCredentials(dataDir: string): Partial<SeedCredentials> | undefined {
  const content = readJsonFile(credentialsFile(dataDir));
  return typeof content === 'object' && content !== null ? content : undefined;
}

/** Writes `credentials.json` (mode 0600) with exactly the keys it is promised to have. */
export function writeCredentials(dataDir: string, seeded: Seeded): void {
  const { base_url, tenant_id, team_id, user_email, api_key, admin_user, admin_password, console_url } =
    seeded;
  const credentials: SeedCredentials = {
    base_url,
    tenant_id,
    team_id,
    user_email,
    api_key,
    admin_user,
    admin_password,
    console_url,
  };
  writePrivateJson(credentialsFile(dataDir), credentials);
}
