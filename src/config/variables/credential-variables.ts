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
    meaning: 'Previous keys, used only to decrypt credentials.',
    more: 'key-rotation.md',
  }),
  requireCredentialHosts: variable('REQUIRE_CREDENTIAL_HOSTS', flagVariable, {
    default: false,
    meaning: 'Whether credentials without `allowed_hosts` are rejected.',
    more: '../decisions/0026-secrets-as-references.md',
  }),
  credentialKeysAboveEditor: variable('CREDENTIAL_KEYS_ABOVE_EDITOR', flagVariable, {
    default: false,
    meaning:
      'Whether credentials can contain API keys of this server with more permissions than a team EDITOR.',
    note: 'Every editor of the team’s stories then has these permissions.',
  }),
};
