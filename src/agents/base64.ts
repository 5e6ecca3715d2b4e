import { PermanentJobError } from '../platform/errors.js';

/** Decodes base64, plain or URL-safe, with line ends allowed. `name` is the option's, for the error. */
export function decodeBase64(text: string, name: string): Buffer {
  const compact = text.replace(/\s+/g, '').replace(/=+$/, '');
  if (!/^[A-Za-z0-9+/_-]*$/.test(compact) || compact.length % 4 === 1) {
    throw new PermanentJobError(`${name} is not base64`);
  }
  return Buffer.from(compact, 'base64');
}
