import { sign } from 'node:crypto';
import { nowMs } from '../../../../platform/runtime/clock-and-random.js';
import { bytesOf, textOfBytes } from '../../../../platform/text/byte-text.js';
import { type CipherInput, decrypt, encrypt, seal, unseal } from '../../../../platform/crypto/ciphers.js';
import { privateKeyOf } from '../../../../platform/crypto/signing-key.js';
import { TOKEN_ALGORITHMS } from '../../../../platform/crypto/token.js';
import { tokenKeyOf, REGISTERED_CLAIMS, signedJwt, templateErrorOf } from '../../../signed-token.js';
import { TemplateError } from '../../../../platform/text/template-error.js';
import { isNothing, textOf } from '../../../values/values.js';
import { numberFrom } from '../../evaluation/numbers.js';
import type { FunctionBody, FunctionTable } from '../formula-function.js';

const DIGESTS = ['SHA256', 'SHA384', 'SHA512'];
const PLAIN_CIPHER = 'aes-256-cbc';
const PLAIN_IV_BYTES = 16;

/** Functions that sign, encrypt and decrypt. A private key is a PEM text or a JSON Web Key. */
export const cryptoFunctions: FunctionTable = {
  JWT_SIGN: {
    takes: `claims, key, algorithm?, headers?, ${REGISTERED_CLAIMS.map((name) => `${name}?`).join(', ')}`,
    gives: `a signed token of the claims: ${TOKEN_ALGORITHMS}; default RS256`,
    example: [
      'JWT_SIGN({user_id: 123}, "secret", "HS256")',
      'eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyX2lkIjoxMjN9.FoW4dUPr9HWzOI8S7Ohpe3hGULZEJhNJeouOX8f1sz8',
    ],
    run: ([claims, key, algorithm, headers, ...registered], { checkTime }) => {
      checkTime();
      const named = REGISTERED_CLAIMS.flatMap((name, index) =>
        isNothing(registered[index]) ? [] : [[name, registered[index]] as const],
      );
      return signedJwt({ claims, key, algorithm, headers, named: new Map(named) });
    },
  },
  RSA_SIGN: {
    takes: 'text, key, digest?',
    gives: 'the bytes of its RSA signature (PKCS #1 v1.5); the digest is SHA256, SHA384 or SHA512',
    example: ['TRY(RSA_SIGN("a", "no key"), "no key")', 'no key'],
    run: withKeyErrors(([text, key, digest], { checkTime }) => {
      checkTime();
      const name = textOf(digest ?? 'SHA256')
        .toUpperCase()
        .replace('-', '');
      if (!DIGESTS.includes(name)) throw new TemplateError(`the digest is not ${DIGESTS.join(', ')}`);
      const privateKey = privateKeyOf(tokenKeyOf(key));
      if (privateKey.asymmetricKeyType !== 'rsa') throw new TemplateError('the key is not an RSA key');
      return textOfBytes(sign(name, bytesOf(textOf(text)), privateKey));
    }),
  },
  OPENSSL_ENCRYPT: {
    takes: 'text, algorithm, key, aad?',
    gives:
      '`{encrypted, iv, auth_tag}` in base64, of `aes-256-gcm`, `aes-256-cbc`, `aes-256-ecb` or the same with 128; the IV is random',
    example: [
      'OPENSSL_DECRYPT(OPENSSL_ENCRYPT("abc", "aes-128-ecb", "0123456789abcdef").encrypted, "aes-128-ecb", "0123456789abcdef")',
      'abc',
    ],
    run: withKeyErrors(([text, algorithm, key, aad]) => {
      const { encrypted, iv, tag } = encrypt(bytesOf(textOf(text)), inputOf({ algorithm, key, aad }));
      return {
        encrypted: encrypted.toString('base64'),
        ...(iv !== undefined && { iv: iv.toString('base64') }),
        ...(tag !== undefined && { auth_tag: tag.toString('base64') }),
      };
    }),
  },
  OPENSSL_DECRYPT: {
    takes: 'ciphertext, algorithm, key, iv?, aad?, auth_tag?',
    gives: 'the text decrypted from OPENSSL_ENCRYPT or another program; ciphertext, IV and tag in base64',
    example: ['OPENSSL_DECRYPT("HSWCHD4xHuotTdhjOiXBtQ==", "aes-128-ecb", "0123456789abcdef")', 'abc'],
    run: withKeyErrors(([text, algorithm, key, iv, aad, tag]) =>
      textOfBytes(
        decrypt(base64Of(text), {
          ...inputOf({ algorithm, key, aad }),
          ...(textOf(iv) !== '' && { iv: base64Of(iv) }),
          ...(textOf(tag) !== '' && { tag: base64Of(tag) }),
        }),
      ),
    ),
  },
  TINES_ENCRYPT: {
    takes: 'text, key, expires_in?',
    gives:
      'the text encrypted for TINES_DECRYPT, optionally expiring after a number of seconds; the key must have at least 32 bytes',
    example: [
      'TINES_DECRYPT(TINES_ENCRYPT("abc", "0123456789abcdef0123456789abcdef"), "0123456789abcdef0123456789abcdef")',
      'abc',
    ],
    run: withKeyErrors(([text, key, seconds]) =>
      seal(bytesOf(textOf(text)), bytesOf(textOf(key)), expiryOf(seconds)),
    ),
  },
  TINES_DECRYPT: {
    takes: 'text, key',
    gives: 'the text decrypted from TINES_ENCRYPT with the same key',
    example: ['TRY(TINES_DECRYPT("abc", "0123456789abcdef0123456789abcdef"), "no")', 'no'],
    run: withKeyErrors(([text, key]) => textOfBytes(unseal(textOf(text), bytesOf(textOf(key)), nowMs()))),
  },
  AES_ENCRYPT: {
    takes: 'text, key, iv?, mode?, expires_in?',
    gives:
      'the text in base64, encrypted with AES-256-CBC and the IV (default: 16 zero bytes); with `mode: "aead"`, like TINES_ENCRYPT',
    example: [
      'AES_DECRYPT(AES_ENCRYPT("abc", "0123456789abcdef0123456789abcdef"), "0123456789abcdef0123456789abcdef")',
      'abc',
    ],
    run: withKeyErrors(([text, key, iv, mode, seconds]) => {
      const clear = bytesOf(textOf(text));
      if (textOf(mode) === 'aead') return seal(clear, bytesOf(textOf(key)), expiryOf(seconds));
      if (!isNothing(mode)) throw new TemplateError('the mode is not "aead"');
      if (!isNothing(seconds)) throw new TemplateError('expires_in requires mode: "aead"');
      return encrypt(clear, plainInput(key, iv)).encrypted.toString('base64');
    }),
  },
  AES_DECRYPT: {
    takes: 'text, key, iv?',
    gives: 'the text decrypted from AES_ENCRYPT with the same key and IV, in either mode',
    example: ['AES_DECRYPT("nXq4Kb6LKP0NHxVo2IQuAA==", "0123456789abcdef0123456789abcdef")', 'abc'],
    run: withKeyErrors(([text, key, iv]) => {
      const encrypted = textOf(text);
      const clear = encrypted.includes('.')
        ? unseal(encrypted, bytesOf(textOf(key)), nowMs())
        : decrypt(base64Of(encrypted), plainInput(key, iv));
      return textOfBytes(clear);
    }),
  },
};

function inputOf({ algorithm, key, aad }: { algorithm: unknown; key: unknown; aad: unknown }): CipherInput {
  return {
    cipher: textOf(algorithm).toLowerCase(),
    key: bytesOf(textOf(key)),
    ...(textOf(aad) !== '' && { aad: bytesOf(textOf(aad)) }),
  };
}

function plainInput(key: unknown, iv: unknown): CipherInput {
  const bytes = isNothing(iv) ? Buffer.alloc(PLAIN_IV_BYTES) : bytesOf(textOf(iv));
  return { cipher: PLAIN_CIPHER, key: bytesOf(textOf(key)), iv: bytes };
}

function base64Of(value: unknown): Buffer {
  return Buffer.from(textOf(value), 'base64');
}

/** The time in ms at which something expires in so many seconds. */
function expiryOf(seconds: unknown): number | undefined {
  if (isNothing(seconds)) return undefined;
  const count = numberFrom(seconds);
  if (count < 0) throw new TemplateError('expires_in is negative');
  return nowMs() + Math.trunc(count) * 1000;
}

function withKeyErrors(body: FunctionBody): FunctionBody {
  return (values, call) => {
    try {
      return body(values, call);
    } catch (error) {
      throw templateErrorOf(error);
    }
  };
}
