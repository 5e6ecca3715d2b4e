import { createCredentialCipher, findForeignKey } from '../../../data/face.js';
import { KEY_KINDS, keyReasons } from '../../monitoring/reasons/key-reasons.js';
import type { Check, StoreContext } from '../check.js';
import { toFindings } from '../finding.js';

/** Whether the key of this program is that of the database. */
export const keyCheck: Check<StoreContext> = {
  name: 'the encryption key',
  needs: ['database'],
  kinds: KEY_KINDS,
  async run({ config: { encryptionKey, encryptionKeysPrevious }, database }) {
    if (encryptionKey === undefined) return [];
    const keys = createCredentialCipher(encryptionKey, encryptionKeysPrevious);
    return toFindings(keyReasons(await database.read((session) => findForeignKey(session, keys))));
  },
};
