import { constants, createHmac, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { evaluateFormula } from '../../../src/language/formula/evaluation/evaluate.js';
import type { JsonObject, JsonValue } from '../../../src/platform/json.js';
import { renderLiquid } from '../../support/render-liquid.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const curve384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }) as string;
const jwk = (key: KeyObject) => key.export({ format: 'jwk' }) as JsonValue;

const liquidOf = (text: string, event: JsonObject) => renderLiquid(text, event) as string;
const valueOf = (formula: string, variables: Record<string, JsonValue> = {}) =>
  evaluateFormula(formula, variables) as string;
const partOf = (token: string, at: number) => Buffer.from(token.split('.')[at] ?? '', 'base64url').toString();

function isSigned(token: string, hash: string, key: Parameters<typeof verify>[2]): boolean {
  const [header, claims, signature = ''] = token.split('.');
  return verify(hash, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'));
}

describe('A4: JWT_SIGN signs with the algorithm that is meant', () => {
  it('gives the token of the documented example', () => {
    expect(valueOf('=JWT_SIGN({"user_id": 123}, "secret", "HS256")')).toBe(
      'eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyX2lkIjoxMjN9.FoW4dUPr9HWzOI8S7Ohpe3hGULZEJhNJeouOX8f1sz8',
    );
  });

  it('is RS256 without an algorithm, in formulas and in Liquid', () => {
    const key = pem(rsa.privateKey);
    const tokens = [
      valueOf('=JWT_SIGN({iss: "svc@example.org"}, key)', { key }),
      liquidOf('{{ claims | jwt_sign: key }}', { claims: { iss: 'svc@example.org' }, key }),
    ];
    for (const token of tokens) {
      expect(partOf(token, 0)).toBe('{"alg":"RS256"}');
      expect(partOf(token, 1)).toBe('{"iss":"svc@example.org"}');
      expect(isSigned(token, 'sha256', rsa.publicKey)).toBe(true);
    }
  });

  const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  it.each<[string, KeyObject, Parameters<typeof verify>[2]]>([
    ['RS256', rsa.privateKey, rsa.publicKey],
    ['RS384', rsa.privateKey, rsa.publicKey],
    ['RS512', rsa.privateKey, rsa.publicKey],
    ['PS256', rsa.privateKey, { key: rsa.publicKey, ...PSS }],
    ['PS512', rsa.privateKey, { key: rsa.publicKey, ...PSS }],
    ['ES256', curve.privateKey, { key: curve.publicKey, dsaEncoding: 'ieee-p1363' }],
    ['ES384', curve384.privateKey, { key: curve384.publicKey, dsaEncoding: 'ieee-p1363' }],
  ])('signs with %s by a key in PEM form, and as a JSON Web Key', (algorithm, key, publicKey) => {
    const keys = [pem(key), pem(key).replaceAll('\n', '\\n'), jwk(key), JSON.stringify(jwk(key))];
    for (const form of keys) {
      const token = valueOf('=JWT_SIGN({a: 1}, key, algorithm)', { key: form, algorithm });
      expect(isSigned(token, `sha${algorithm.slice(2)}`, publicKey)).toBe(true);
    }
  });

  it('adds headers before the algorithm, and claims that are named', () => {
    const token = valueOf('=JWT_SIGN({a: 1}, "k", "HS256", {kid: "1", typ: "JWT"}, exp: 5, sub: "me")');
    expect(partOf(token, 0)).toBe('{"kid":"1","typ":"JWT","alg":"HS256"}');
    expect(partOf(token, 1)).toBe('{"a":1,"exp":5,"sub":"me"}');
    const liquid = liquidOf('{{ claims | jwt_sign: "k", "HS512", headers, exp: 5 }}', {
      claims: { a: 1 },
      headers: { kid: 'x' },
    });
    expect([partOf(liquid, 0), partOf(liquid, 1)]).toEqual(['{"kid":"x","alg":"HS512"}', '{"a":1,"exp":5}']);
  });

  it.each<[string, Record<string, JsonValue>, RegExp]>([
    ['=JWT_SIGN({}, "secret")', {}, /^JWT_SIGN: the key is not a private key in PEM form/],
    ['=JWT_SIGN({}, "")', {}, /the key is empty/],
    ['=JWT_SIGN({}, "k", "none")', {}, /the algorithm "none" is not HS256/],
    [
      '=JWT_SIGN({}, key, "ES256")',
      { key: pem(rsa.privateKey) },
      /ES256 needs a key of the curve prime256v1/,
    ],
    [
      '=JWT_SIGN({}, key, "ES384")',
      { key: pem(curve.privateKey) },
      /ES384 needs a key of the curve secp384r1/,
    ],
    ['=JWT_SIGN({}, key)', { key: pem(curve.privateKey) }, /RS256 needs an RSA key/],
    ['=JWT_SIGN({}, key)', { key: { kty: 'RSA', n: 'x' } }, /the key is not a private JSON Web Key/],
    ['=JWT_SIGN({}, "k", "HS256", "typ")', {}, /the headers are not an object/],
    ['=JWT_SIGN("{}", "k", "HS256", exp: 1)', {}, /the claims are not an object/],
  ])('refuses %s', (formula, variables, message) => {
    expect(() => valueOf(formula, variables)).toThrow(message);
  });

  it('never quotes the key', () => {
    const key = `-----BEGIN PRIVATE KEY-----\nsecretsecret\n-----END PRIVATE KEY-----`;
    expect(() => valueOf('=JWT_SIGN({}, key)', { key })).toThrow(/^(?!.*secretsecret)/s);
  });
});

const signature = (token: string, key: Buffer) =>
  createHmac('sha256', key).update(token.split('.').slice(0, 2).join('.')).digest('base64url');

describe('C3: a key of bytes signs as those bytes', () => {
  const KEY = 'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow';
  it.each([
    ['BASE64URL_DECODE', KEY, Buffer.from(KEY, 'base64url')],
    ['HEX_DECODE', 'ff00fe80', Buffer.from('ff00fe80', 'hex')],
    ['BASE64_DECODE', '/wD+gA==', Buffer.from('/wD+gA==', 'base64')],
  ])('of %s', (decode, text, bytes) => {
    const token = valueOf(`=JWT_SIGN({a: 1}, ${decode}(text), "HS256")`, { text });
    expect(token.split('.')[2]).toBe(signature(token, bytes));
  });

  it('and as a JSON Web Key of kind oct', () => {
    const token = valueOf('=JWT_SIGN({a: 1}, key, "HS256")', { key: { kty: 'oct', k: KEY } });
    expect(token.split('.')[2]).toBe(signature(token, Buffer.from(KEY, 'base64url')));
  });

  it('keeps claims as they are written, bytes and letters outside ASCII included', () => {
    const token = valueOf('=JWT_SIGN({name: "Jörg €"}, "k", "HS256")');
    expect(partOf(token, 1)).toBe('{"name":"Jörg €"}');
  });
});
