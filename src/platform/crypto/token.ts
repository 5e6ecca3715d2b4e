import { constants, createHmac, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import { stringifyJson } from '../json/exact-number.js';
import { KeyError, privateKeyOf } from './signing-key.js';

/** Curves of the algorithms for elliptic curves (RFC 7518 §3.4). */
const CURVES: Record<string, string> = { '256': 'prime256v1', '384': 'secp384r1', '512': 'secp521r1' };
const ALGORITHM = /^(HS|RS|PS|ES)(256|384|512)$/;

/** Names of the algorithms, for messages and docs. */
export const TOKEN_ALGORITHMS = 'HS256, HS384, HS512, RS256 … RS512, PS256 … PS512 or ES256 … ES512';

export interface TokenParts {
  /** Fields of the header besides `alg`. */
  header: Readonly<Record<string, unknown>>;
  /** The claims as JSON text. */
  claims: string;
  algorithm: string;
  /** The bytes of a shared secret, or a private key in PEM form. */
  key: Buffer | JsonWebKey;
}

/**
 * Returns a signed token (JWT, RFC 7515 and 7519). Its header has the given fields, then `alg`.
 * @throws KeyError for an unknown algorithm, and for a key that does not fit it.
 */
export function signToken({ header, claims, algorithm, key }: TokenParts): string {
  const [, kind, size = ''] = ALGORITHM.exec(algorithm) ?? [];
  if (kind === undefined)
    throw new KeyError(`the algorithm "${shortened(algorithm)}" is not ${TOKEN_ALGORITHMS}`);
  const { alg: _, ...fields } = header;
  const content = [stringifyJson({ ...fields, alg: algorithm }), claims]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
  const signature = kind === 'HS' ? authenticated(content, size, key) : signed(content, { kind, size, key });
  return `${content}.${signature.toString('base64url')}`;
}

function authenticated(content: string, size: string, key: Buffer | JsonWebKey): Buffer {
  const secret = Buffer.isBuffer(key) ? key : octets(key);
  if (secret.length === 0) throw new KeyError('the key is empty');
  return createHmac(`sha${size}`, secret).update(content).digest();
}

function octets({ kty, k }: JsonWebKey): Buffer {
  if (kty !== 'oct' || typeof k !== 'string') throw new KeyError('the JSON Web Key is not one of kind oct');
  return Buffer.from(k, 'base64url');
}

function signed(
  content: string,
  { kind, size, key }: { kind: string; size: string; key: TokenParts['key'] },
) {
  if (Buffer.isBuffer(key) && key.length === 0) throw new KeyError('the key is empty');
  const privateKey = privateKeyOf(Buffer.isBuffer(key) ? key.toString() : key);
  requireFit(privateKey, kind, size);
  return sign(`sha${size}`, Buffer.from(content), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
    ...(kind === 'PS' && {
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    }),
  });
}

function requireFit(key: KeyObject, kind: string, size: string): void {
  const type = key.asymmetricKeyType;
  if (kind === 'ES' && key.asymmetricKeyDetails?.namedCurve !== CURVES[size])
    throw new KeyError(`${kind}${size} needs a key of the curve ${CURVES[size]}`);
  const isRsa = type === 'rsa' || (type === 'rsa-pss' && kind === 'PS');
  if (kind !== 'ES' && !isRsa) throw new KeyError(`${kind}${size} needs an RSA key`);
}

function shortened(name: string): string {
  return name.length > 50 ? `${name.slice(0, 50)}…` : name;
}
