import type { ForeignKey } from '../../../data/face.js';
import { type Reason, reasonIf, type ReasonKind } from './reason.js';

const FOREIGN_KEY: ReasonKind = {
  id: 'configuration.foreign-key',
  severity: 'error',
  why: 'Stored credentials cannot be decrypted, and no credential can be stored.',
  remedy:
    'Start with the old key, or set it in ENCRYPTION_KEY_PREVIOUS. If it is lost, run "fabula credential accept-key", then set the credentials again.',
};

export const KEY_KINDS: readonly ReasonKind[] = [FOREIGN_KEY];

/** Returns whether this process has another key than its database; fingerprints tell nothing about keys. */
export function keyReasons(foreign: ForeignKey | undefined): Reason[] {
  const found = `ENCRYPTION_KEY has the fingerprint ${foreign?.own}; the database expects ${foreign?.stored}.`;
  return reasonIf(foreign !== undefined, FOREIGN_KEY, found);
}
