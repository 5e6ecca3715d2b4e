import { createTeamSecretCalls } from '../../src/engine/secrets/team-secret-calls.js';
import { openedFor } from '../support/opened.js';

const K = '0123456789abcdef0123456789abcdef';

/** Returns what gives the key of a check, for the credential C1 with this value. */
function keysFor(value: string) {
  const { signer, reference } = openedFor({ C1: value });
  const C1 = reference('C1');
  const calls = createTeamSecretCalls(1, {
    sign: (content) => signer.sign(content),
    logs: [],
    keys: new Map([[C1, value]]),
  });
  const made = (name: string, ...values: string[]) =>
    signer.sign({ team: 1, credential: 'C1', call: { name, values } });
  return { C1, made, keyOf: (reference: string) => calls.keyOf(reference) };
}

it('I2: a key may be the credential, decoded, encoded, trimmed or hashed', () => {
  const { C1, made, keyOf } = keysFor('YWJj');
  expect(keyOf(C1)).toBe('YWJj');
  expect(keyOf(made('BASE64_DECODE', made('strip', C1)))).toBe('abc');
  expect(keyOf(made('base64url_decode', C1))).toBe('abc');
  expect(keyOf(made('HEX_DECODE', made('HEX_ENCODE', C1)))).toBe('YWJj');
  expect(keyOf(made('BASE64_ENCODE', `me:${C1}`))).toBe('bWU6WVdKag==');
  expect(keyOf(made('SHA256', C1))).toHaveLength(64);
});

it.each([
  'AES_DECRYPT',
  'aes_encrypt',
  'TINES_DECRYPT',
  'tines_encrypt',
  'RSA_SIGN',
  'JWT_SIGN',
  'url_decode',
])('I2: a key is not made with %s, also not inside another function', (name) => {
  const { C1, made, keyOf } = keysFor('YWJj');
  const inner = made(name, C1, K);
  for (const key of [inner, made('BASE64_DECODE', inner), made('AES_DECRYPT', inner, K)]) {
    expect(() => keyOf(key)).toThrow('a key can only be decoded, encoded or hashed');
  }
});

it.each([
  ['BASE64_DECODE', 'ab=cdef'],
  ['BASE64_DECODE', 'pass!word'],
  ['base64url_decode', 'pass!word'],
  ['HEX_DECODE', 'abx'],
  ['hex_decode', '12-34'],
])('I2: %s of a credential in another encoding is no key, and its error tells nothing: %s', (name, value) => {
  const { C1, made, keyOf } = keysFor(value);
  expect(() => keyOf(made(name, C1))).toThrow(/^the key cannot be computed from the credential$/);
});

it('I2: an action makes at most 100 checks with credentials', () => {
  const { C1, keyOf } = keysFor('YWJj');
  for (let check = 0; check < 100; check += 1) keyOf(C1);
  expect(() => keyOf(C1)).toThrow('more than 100 checks with credentials in one action');
});
