import { createHmac, timingSafeEqual } from 'node:crypto';
import { keyOfPassphrase } from './secret-move.js';
import type { TenantManifest } from './tenant-manifest.js';

type Unsigned = Omit<TenantManifest, 'signature'>;

/**
 * Returns the HMAC-SHA256 of a manifest with a key of the passphrase, in hexadecimal. The manifest has the checksum of each
 * file, so this confirms the whole copy.
 */
export function signatureOf(manifest: Unsigned, passphrase: string, salt: string): string {
  const key = createHmac('sha256', keyOfPassphrase(passphrase, salt)).update('manifest of a tenant').digest();
  return createHmac('sha256', key).update(JSON.stringify(manifest)).digest('hex');
}

/** @throws Error if the copy was changed, or made with another passphrase. */
export function requireSigned({ signature, ...manifest }: TenantManifest, passphrase: string): void {
  const { salt } = manifest;
  if (salt === null) return;
  const given = Buffer.from(signature ?? '', 'hex');
  const right = Buffer.from(signatureOf(manifest, passphrase, salt), 'hex');
  if (given.length === right.length && timingSafeEqual(given, right)) return;
  throw new Error(
    'the export has an invalid signature: it was created with another passphrase, or was changed',
  );
}
