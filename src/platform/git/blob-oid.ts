import { createHash } from 'node:crypto';

/** Returns the oid that git gives to a file with this text. */
export function blobOid(text: string): string {
  const bytes = Buffer.from(text);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
