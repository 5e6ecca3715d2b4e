import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { PayloadTooLarge } from '../errors.js';
import {
  holdsMoreReferences,
  jsonWithMarkers,
  readContent,
  type ReferenceContent,
  replaceReferences,
  referenceText,
  SIGNATURE_BYTES,
  writeContent,
} from './secret-reference.js';

const LABEL = 'fabula.credential-reference';
const KEY_BYTES = 32;
/** Verifying a reference takes 4 µs of the event loop, more with more keys. */
const MAX_LOOKED_AT = 1_000;

/** Creates references to secrets, and recognises its own (decision 0026). */
export interface SecretSigner {
  /** The key with which another thread of this process signs (`signReference`). */
  readonly signingKey: Uint8Array;
  /** Returns the same text for the same content. */
  sign(content: ReferenceContent): string;
  /** Returns the content of a reference's body; undefined if this server has not signed it. */
  verify(body: string): ReferenceContent | undefined;
}

/** Signs with a key derived from `key`; verifies signatures of the `previous` keys too. */
export function createSecretSigner(key: Buffer, previous: readonly Buffer[] = []): SecretSigner {
  const keys = [key, ...previous].map(derived);
  const [current = derived(key)] = keys;
  return {
    signingKey: current,
    sign: (content) => signReference(content, current),
    verify(body) {
      const bytes = Buffer.from(body, 'base64url');
      const given = bytes.subarray(0, SIGNATURE_BYTES);
      const written = bytes.subarray(SIGNATURE_BYTES);
      if (given.length < SIGNATURE_BYTES) return undefined;
      const isOurs = keys.some((known) => timingSafeEqual(signature(known, written), given));
      return isOurs ? readContent(body) : undefined;
    },
  };
}

/** Returns the reference with this content, signed with a signer's key. */
export function signReference(content: ReferenceContent, signingKey: Uint8Array): string {
  const written = writeContent(content);
  return referenceText(Buffer.concat([signature(signingKey, written), written]));
}

/**
 * Replaces the references that this server has signed by markers, in JSON text from outside. A client that has seen a
 * reference must not use the secret by sending it to a story. Everything else stays unchanged.
 * @throws PayloadTooLarge if more than `MAX_LOOKED_AT` texts look like a reference.
 */
export function withoutOwnReferences(json: string, signer: Pick<SecretSigner, 'verify'>): string {
  if (holdsMoreReferences(json, MAX_LOOKED_AT)) {
    throw new PayloadTooLarge(
      `More than ${MAX_LOOKED_AT} texts in the event look like references to credentials`,
    );
  }
  return replaceReferences(json, ({ text, body }) =>
    signer.verify(body) === undefined ? undefined : jsonWithMarkers(text),
  );
}

function derived(key: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), LABEL, KEY_BYTES));
}

function signature(key: Uint8Array, content: Buffer): Buffer {
  return createHmac('sha256', key).update(content).digest().subarray(0, SIGNATURE_BYTES);
}
