import type { JsonWebKey } from 'node:crypto';
import { KeyError } from '../platform/crypto/signing-key.js';
import { signToken } from '../platform/crypto/token.js';
import { mergedObjects } from '../platform/json/ordered-object.js';
import { bytesOf } from '../platform/text/byte-text.js';
import { TemplateError } from '../platform/text/template-error.js';
import { isNothing, isRecord, textOf } from './values/values.js';

/** Claims that can be given by name beside the others (RFC 7519 §4.1). */
export const REGISTERED_CLAIMS = ['exp', 'nbf', 'iss', 'aud', 'jti', 'iat', 'sub'];

interface JwtValues {
  claims: unknown;
  key: unknown;
  algorithm: unknown;
  headers: unknown;
  /** Claims that are added to the others. */
  named: ReadonlyMap<string, unknown>;
}

/**
 * Returns a signed token (JWT) of the claims: an object, or its JSON text.
 * @throws TemplateError for an algorithm, key or header that cannot be used.
 */
export function signedJwt({ claims, key, algorithm, headers, named }: JwtValues): string {
  if (!isNothing(headers) && !isRecord(headers)) throw new TemplateError('the headers are not an object');
  if (named.size > 0 && !isRecord(claims)) throw new TemplateError('the claims are not an object');
  const all = isRecord(claims) ? mergedObjects(claims, Object.fromEntries(named)) : claims;
  try {
    return signToken({
      header: headers ?? {},
      claims: textOf(all),
      algorithm: textOf(algorithm ?? 'RS256'),
      key: jwtKeyOf(key),
    });
  } catch (error) {
    throw templateErrorOf(error);
  }
}

/** A JSON Web Key may be an object, or the JSON text of one. */
function jwtKeyOf(key: unknown): Buffer | JsonWebKey {
  const found = tokenKeyOf(key);
  return typeof found === 'string' ? bytesOf(found) : found;
}

/** Returns a JSON Web Key, which may be given as JSON text; or else the text of the key. @throws TemplateError */
export function tokenKeyOf(key: unknown): string | JsonWebKey {
  if (isRecord(key)) return key;
  const text = textOf(key);
  if (!/^\s*\{.*"kty"/s.test(text)) return text;
  try {
    return JSON.parse(text) as JsonWebKey;
  } catch (error) {
    throw new TemplateError('the key is not a JSON Web Key', { cause: error });
  }
}

/** Returns the error of an author for a key that cannot be used; any other error as it is. */
export function templateErrorOf(error: unknown): unknown {
  return error instanceof KeyError ? new TemplateError(error.message, { cause: error }) : error;
}
