import { createCipheriv, generateKeyPairSync, verify } from 'node:crypto';
import { evaluateFormula } from '../../../src/language/formula/evaluation/evaluate.js';
import type { JsonValue } from '../../../src/platform/json.js';
import { deferredCost } from '../../../src/language/secrets/deferred-functions.js';

const K16 = '0123456789abcdef';
const K32 = K16 + K16;
const valueOf = (formula: string, variables: Record<string, JsonValue> = {}) =>
  evaluateFormula(formula, { K16, K32, ...variables }) as string;

const keysOf = (algorithm: string) =>
  Object.keys(valueOf('=OPENSSL_ENCRYPT("a", algorithm, K32)', { algorithm }));

describe('A23: what is signed and encrypted', () => {
  it.each(['SHA256', 'SHA384', 'SHA512'])('RSA_SIGN signs with %s', (digest) => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const signature = valueOf('=BASE64_ENCODE(RSA_SIGN("text", key, digest: digest))', { key, digest });
    expect(verify(digest, Buffer.from('text'), publicKey, Buffer.from(signature, 'base64'))).toBe(true);
  });

  it('RSA_SIGN refuses keys that are not RSA, too long, or none', () => {
    const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const key = curve.export({ type: 'pkcs8', format: 'pem' }) as string;
    expect(() => valueOf('=RSA_SIGN("a", key)', { key })).toThrow('the key is not an RSA key');
    expect(() => valueOf('=RSA_SIGN("a", "x")')).toThrow(
      'RSA_SIGN: the key is not a private key in PEM form',
    );
    expect(() => valueOf('=RSA_SIGN("a", "x", "MD5")')).toThrow('the digest is not SHA256');
  });

  it.each(['aes-128-cbc', 'aes-256-cbc', 'aes-128-ecb', 'aes-256-ecb', 'aes-256-gcm'])(
    'OPENSSL_DECRYPT opens what OPENSSL_ENCRYPT has made with %s',
    (algorithm) => {
      const key = algorithm.includes('128') ? K16 : K32;
      const opened = valueOf(
        '=OPENSSL_ENCRYPT("grüße", algorithm, key) |> OPENSSL_DECRYPT(%.encrypted, algorithm, key, %.iv, "", %.auth_tag)',
        { algorithm, key },
      );
      expect(opened).toBe('grüße');
    },
  );

  it('names the parts that the algorithm has', () => {
    expect(keysOf('aes-256-ecb')).toEqual(['encrypted']);
    expect(keysOf('aes-256-cbc')).toEqual(['encrypted', 'iv']);
    expect(keysOf('aes-256-gcm')).toEqual(['encrypted', 'iv', 'auth_tag']);
  });

  it('opens what another program has encrypted', () => {
    const cipher = createCipheriv('aes-256-cbc', K32, Buffer.alloc(16, 7));
    const text = Buffer.concat([cipher.update('from elsewhere'), cipher.final()]).toString('base64');
    const iv = Buffer.alloc(16, 7).toString('base64');
    expect(valueOf('=OPENSSL_DECRYPT(text, "aes-256-cbc", K32, iv)', { text, iv })).toBe('from elsewhere');
    expect(valueOf('=AES_DECRYPT(text, K32, BASE64_DECODE(iv))', { text, iv })).toBe('from elsewhere');
  });

  it.each([
    ['=OPENSSL_ENCRYPT("a", "aes-256-gcm", "short")', /aes-256-gcm needs a key of 32 bytes; this one has 5/],
    ['=OPENSSL_ENCRYPT("a", "rot13", K32)', /the algorithm "rot13" is not aes-128-cbc/],
    ['=OPENSSL_ENCRYPT("a", "constructor", K32)', /the algorithm "constructor" is not/],
    ['=OPENSSL_ENCRYPT("a", "aes-256-cbc", K32, "more")', /aes-256-cbc takes no further data/],
    ['=OPENSSL_DECRYPT("AAAA", "aes-256-cbc", K32, "AAAA")', /aes-256-cbc needs an IV of 16 bytes/],
    [
      '=OPENSSL_ENCRYPT("a", "aes-256-gcm", K32, "x") |> OPENSSL_DECRYPT(%.encrypted, "aes-256-gcm", K32, %.iv, "y", %.auth_tag)',
      /cannot be decrypted with this key/,
    ],
    ['=OPENSSL_DECRYPT("AAAA", "aes-256-gcm", K32, "AAAA")', /needs an authentication tag of 16 bytes/],
  ])('refuses %s', (formula, message) => {
    expect(() => valueOf(formula)).toThrow(message);
  });

  it('TINES_DECRYPT opens what TINES_ENCRYPT has made, never twice the same', () => {
    const made = [valueOf('=TINES_ENCRYPT("a", K32)'), valueOf('=TINES_ENCRYPT("a", K32)')];
    expect(new Set(made).size).toBe(2);
    expect(made.map((text) => valueOf('=TINES_DECRYPT(text, K32)', { text }))).toEqual(['a', 'a']);
    expect(valueOf('=AES_DECRYPT(AES_ENCRYPT("a", K32, mode: "aead", expires_in: 60), K32)')).toBe('a');
  });

  it.each([
    [
      'another key',
      '=TINES_DECRYPT(TINES_ENCRYPT("a", K32), K32 & "x")',
      /cannot be decrypted with this key/,
    ],
    ['what has expired', '=TINES_DECRYPT(TINES_ENCRYPT("a", K32, 0), K32)', /it has expired/],
    ['a negative time', '=TINES_ENCRYPT("a", K32, -1)', /expires_in is negative/],
    ['a short key', '=TINES_ENCRYPT("a", "short")', /the key has 5 bytes; it needs 32 or more/],
    ['any other text', '=TINES_DECRYPT("abc", K32)', /the text was not encrypted by this server/],
    ['a time without the mode', '=AES_ENCRYPT("a", K32, expires_in: 5)', /expires_in requires mode: "aead"/],
  ])('refuses %s', (_, formula, message) => {
    expect(() => valueOf(formula)).toThrow(message);
  });

  it('notices a changed expiry', () => {
    const text = valueOf('=TINES_ENCRYPT("a", K32, 0)').split('.');
    text[2] = Buffer.from(String(Date.now() + 100_000)).toString('base64');
    expect(() => valueOf('=TINES_DECRYPT(text, K32)', { text: text.join('.') })).toThrow(
      'cannot be decrypted',
    );
  });

  it('counts a signature with a private key as many functions of credentials', () => {
    expect(deferredCost('JWT_SIGN', [{}, 'k'])).toBe(deferredCost('rsa_sign', ['a', 'k']));
    expect(deferredCost('jwt_sign', [{}, 'k', 'HS256'])).toBe(1);
    expect(deferredCost('rsa_sign', ['a', 'k'])).toBeGreaterThan(10);
  });
});
