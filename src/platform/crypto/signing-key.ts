import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto';

/** Signing with a longer key takes too long for a shared event loop. */
const MAX_RSA_BITS = 4096;

/** A key or algorithm that cannot be used; the message never quotes the key. */
export class KeyError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'KeyError';
  }
}

/**
 * Returns a private key to sign with, from a PEM text or a JSON Web Key (RFC 7517). Line ends may be written as `\n`, as in
 * credentials of one line.
 * @throws KeyError for any other text, and for an RSA key of more than 4096 bits.
 */
export function privateKeyOf(key: string | JsonWebKey): KeyObject {
  const found = typeof key === 'string' ? fromPem(key) : fromJwk(key);
  const bits = found.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits > MAX_RSA_BITS) throw new KeyError(`the key has ${bits} bits; ${MAX_RSA_BITS} are the limit`);
  return found;
}

function fromPem(text: string): KeyObject {
  try {
    return createPrivateKey(text.replaceAll('\\n', '\n').trim());
  } catch (error) {
    throw new KeyError('the key is not a private key in PEM form', { cause: error });
  }
}

function fromJwk(key: JsonWebKey): KeyObject {
  try {
    return createPrivateKey({ key, format: 'jwk' });
  } catch (error) {
    throw new KeyError('the key is not a private JSON Web Key', { cause: error });
  }
}
