import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { PayloadTooLarge } from '../platform/errors.js';
import {
  holdsMoreReferences,
  jsonWithMarkers,
  readContent,
  type ReferenceContent,
  replaceReferences,
  referenceText,
  SIGNATURE_BYTES,
  writeContent,
} from '../platform/text/secret-reference.js';

const LABEL = 'fabula.credential-reference';
const KEY_BYTES = 32;
/** To look at one takes 4 µs of the event loop, more with more keys. */
const MAX_LOOKED_AT = 1_000;

/** Makes references to secrets, and tells its own from others (decision 0026). */
export interface SecretSigner {
  /** What another thread of this process signs with (`signReference`). */
  readonly signingKey: Uint8Array;
  /** The same text for the same content. */
  sign(content: ReferenceContent): string;
  /** The content of a reference's body; undefined for what this server has not signed. */
  verify(body: string): ReferenceContent | undefined;
}

/** Signs under a key of its own that is made of `key`; knows what was signed under the `previous` keys. */
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

/** The reference with this content, signed with a signer's key. */
export function signReference(content: ReferenceContent, signingKey: Uint8Array): string {
  const written = writeContent(content);
  return referenceText(Buffer.concat([signature(signingKey, written), written]));
}

/**
 * JSON text that comes from outside, with markers in the place of references that this server has signed: what somebody
 * has got hold of is no secret of a story that he calls. All else stays as it came.
 * @throws PayloadTooLarge where more texts look like a reference than may be looked at.
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
