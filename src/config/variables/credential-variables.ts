import { flagVariable, key, keys } from '../value-types.js';
import { inGroup } from '../variable.js';

const variable = inGroup('Encryption and credentials');

/** How credentials are kept, and what they may hold. */
export const credentialVariables = {
  encryptionKey: variable('ENCRYPTION_KEY', key, {
    secret: true,
    setByStart: true,
    meaning: 'Key that encrypts credentials (AES-256-GCM).',
  }),
  encryptionKeysPrevious: variable('ENCRYPTION_KEY_PREVIOUS', keys, {
    default: [],
    defaultText: 'none',
    secret: true,
    meaning: 'Older keys; they decrypt credentials and never encrypt.',
    more: 'operations/key-rotation.md',
  }),
  requireCredentialHosts: variable('REQUIRE_CREDENTIAL_HOSTS', flagVariable, {
    default: false,
    meaning: 'Whether a credential without `allowed_hosts` can be neither created nor used.',
    more: 'decisions/0026-secrets-as-references.md',
  }),
  credentialKeysAboveEditor: variable('CREDENTIAL_KEYS_ABOVE_EDITOR', flagVariable, {
    default: false,
    meaning:
      'Whether credentials may contain API keys of this server with more rights than an EDITOR of the team.',
    note: 'Everyone who edits the stories of the team then has these rights.',
  }),
};
