import {
  createHash,
  createHmac,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import { KeyError } from './signing-key.js';

/** A header may list several signatures: while a key is rotated there are two. */
const MAX_SIGNATURES = 16;
const MAX_RSA_BITS = 8192;
const DIGESTS = ['sha1', 'sha256', 'sha384', 'sha512'];

/** A signature to check. */
export interface SignedText {
  bytes: Uint8Array;
  /** As the sender wrote it: hexadecimal or base64, alone or in a list such as `t=1,v1=ab` or `v1,q83v v1,EjRW`. */
  signature: string;
  /** SHA1, SHA256, SHA384 or SHA512. */
  digest: string;
}

/**
 * Whether one of the signatures is the HMAC of the bytes; takes as long for a wrong one as for a right one.
 * @throws KeyError for an empty key, or a digest that it does not know.
 */
export function isHmac({ bytes, signature, digest }: SignedText, key: Uint8Array): boolean {
  if (key.length === 0) throw new KeyError('the key is empty');
  const right = createHmac(digestOf(digest), key).update(bytes).digest();
  return signaturesIn(signature).some(
    (given) => given.length === right.length && timingSafeEqual(given, right),
  );
}

/** Whether two texts are equal; takes as long for texts that differ early. @throws KeyError for an empty secret. */
export function isSameSecret(given: Uint8Array, secret: Uint8Array): boolean {
  if (secret.length === 0) throw new KeyError('the secret is empty');
  const [left, right] = [given, secret].map((bytes) => createHash('sha256').update(bytes).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

/** Whether one of the signatures is by the RSA key (PKCS #1 v1.5). @throws KeyError for another key. */
export function isRsaSigned({ bytes, signature, digest }: SignedText, key: string | JsonWebKey): boolean {
  const publicKey = publicKeyOf(key, 'rsa');
  return signaturesIn(signature).some((given) => verify(digestOf(digest), bytes, publicKey, given));
}

/** Whether one of the signatures, in DER or as two numbers, is by the key of an elliptic curve. @throws KeyError */
export function isEcdsaSigned({ bytes, signature, digest }: SignedText, key: string | JsonWebKey): boolean {
  const publicKey = publicKeyOf(key, 'ec');
  return signaturesIn(signature).some((given) =>
    (['der', 'ieee-p1363'] as const).some((dsaEncoding) =>
      verify(digestOf(digest), bytes, { key: publicKey, dsaEncoding }, given),
    ),
  );
}

/** Whether one of the signatures is by the Ed25519 key, which may be its 32 bytes in hexadecimal or base64. @throws KeyError */
export function isEd25519Signed(
  { bytes, signature }: Omit<SignedText, 'digest'>,
  key: string | JsonWebKey,
): boolean {
  const raw = typeof key === 'string' ? encodedBytes(key.trim()) : undefined;
  const known = raw?.length === 32 ? { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') } : key;
  const publicKey = publicKeyOf(known, 'ed25519');
  return signaturesIn(signature).some((given) => verify(null, bytes, publicKey, given));
}

function digestOf(name: string): string {
  const plain = name.toLowerCase().replace('-', '');
  if (DIGESTS.includes(plain)) return plain;
  throw new KeyError('the digest is not SHA1, SHA256, SHA384 or SHA512');
}

/** Each part of the text that can be bytes; names before a `=` are left out. */
function signaturesIn(text: string): Buffer[] {
  const parts = text.split(/[\s,;]+/, MAX_SIGNATURES);
  return parts
    .map((part) => encodedBytes(part.replace(/^[\w-]{1,16}=(?=[^=])/, '')))
    .filter((bytes) => bytes !== undefined);
}

/** Returns the bytes of hexadecimal digits, or of base64 in either alphabet; undefined for another text. */
function encodedBytes(text: string): Buffer | undefined {
  if (/^(?:[\da-f]{2}){16,}$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

function publicKeyOf(key: string | JsonWebKey, type: 'rsa' | 'ec' | 'ed25519'): KeyObject {
  const found = typeof key === 'string' ? fromText(key) : made(() => createPublicKey({ key, format: 'jwk' }));
  if (found.asymmetricKeyType !== type) throw new KeyError(`the key is not a public ${NAMES[type]} key`);
  const bits = found.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits > MAX_RSA_BITS) throw new KeyError(`the key has ${bits} bits; ${MAX_RSA_BITS} are the limit`);
  return found;
}

const NAMES = { rsa: 'RSA', ec: 'ECDSA', ed25519: 'Ed25519' };

/** A PEM text (a key or a certificate), or the base64 between its lines. */
function fromText(text: string): KeyObject {
  const pem = text.replaceAll('\\n', '\n').trim();
  if (pem.includes('-----BEGIN')) return made(() => createPublicKey(pem));
  const key = Buffer.from(pem, 'base64');
  return made(() => createPublicKey({ key, format: 'der', type: 'spki' }));
}

function made(create: () => KeyObject): KeyObject {
  try {
    return create();
  } catch (error) {
    throw new KeyError('the key is not a public key in PEM form, a certificate, or a JSON Web Key', {
      cause: error,
    });
  }
}
