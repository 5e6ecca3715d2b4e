import addressparser from 'nodemailer/lib/addressparser';
import { type MimeHeader, rawMimeValues } from './mime-headers.js';

/** Most characters of all address headers of one name; the rest is ignored. */
const MAX_CHARACTERS = 500_000;
const ENCODED_WORD = /=\?[^?\s]+\?[bq]\?/i;

/**
 * Returns the bare addresses of all headers of this name: `"Lee, A" <a@b.c>, d@e.f` → `a@b.c`, `d@e.f`. The list is split
 * before anything is decoded, since an encoded word is never an address or a separator (RFC 2047 §5).
 */
export function addressesOf(headers: readonly MimeHeader[], name: string, checkTime: () => void): string[] {
  let room = MAX_CHARACTERS;
  return rawMimeValues(headers, name).flatMap((raw) => {
    checkTime();
    const text = raw.slice(0, Math.max(0, room));
    room -= text.length;
    return addressparser(text, { flatten: true })
      .map(({ address }) => address)
      .filter((address) => address.includes('@') && !ENCODED_WORD.test(address));
  });
}
