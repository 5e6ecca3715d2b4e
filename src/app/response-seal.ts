import type { ResponseSeal } from '../api/face.js';
import type { CredentialService } from '../data/face.js';

/** No credential: the name only keeps a response from being read as another value. */
const RESPONSES = { teamId: 0, name: 'responses of requests with a key' };

/** Returns the seal of kept responses: the cipher of credentials, with `ENCRYPTION_KEY`. */
export function responseSeal(credentials: Pick<CredentialService, 'cipher'>): ResponseSeal {
  return {
    seal: (text) => credentials.cipher().encrypt(text, RESPONSES),
    open: (sealed) => credentials.cipher().decrypt(sealed, RESPONSES),
  };
}
