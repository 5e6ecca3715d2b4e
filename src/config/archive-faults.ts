import type { Settings } from './variable.js';
import type { archiveVariables } from './variables/archive-variables.js';

/** Returns a line for each variable that an archive in an object storage lacks. */
export function archiveFaults({ archiveTo, archiveS3 }: Settings<typeof archiveVariables>): string[] {
  if (archiveTo?.startsWith('s3://') !== true) return [];
  const needed = {
    ARCHIVE_S3_ACCESS_KEY_ID: archiveS3.accessKeyId,
    ARCHIVE_S3_SECRET_ACCESS_KEY: archiveS3.secretAccessKey,
  };
  const missing = Object.entries(needed).filter(([, value]) => value === undefined);
  return missing.map(([name]) => `${name} is required if ARCHIVE_TO is an S3 URL`);
}
