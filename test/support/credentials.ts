import {
  createCredentialService,
  type CredentialService,
} from '../../src/data/credentials/credential-service.js';
import { createCredentialStore } from '../../src/data/credentials/credential-store.js';
import { fabulaEnvironment } from './fabula-environment.js';
import type { TestStores } from './stores.js';

/** The credentials of the test file's stores, as every process of Fabula reads and decrypts them. */
export function credentialsOf(stores: TestStores): CredentialService {
  const { ENCRYPTION_KEY = '' } = fabulaEnvironment(stores);
  const encryptionKey = Buffer.from(ENCRYPTION_KEY, 'hex');
  return createCredentialService({ store: createCredentialStore(stores.db), encryptionKey });
}
