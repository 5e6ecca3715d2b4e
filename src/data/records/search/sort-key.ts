import type { FieldValue } from '../field-value.js';
import type { ResultType } from '../types/record-type.js';

/** Indexed bytes of a text. Longer texts are stored whole beside the key. */
export const SORT_KEY_BYTES = 512;

/** A value as bytes with the same order: numbers by size, times by time, text by code point. */
export interface SortKey {
  /** Null: empty. */
  key: Buffer | null;
  /** The whole text, if only its first bytes are the key; otherwise null. */
  fullText: Buffer | null;
}

const EMPTY: SortKey = { key: null, fullText: null };

/** Returns the sort key of a field's value. */
export function sortKeyOf(resultType: ResultType, value: FieldValue): SortKey {
  if (value === null || value === '') return EMPTY;
  if (typeof value === 'boolean') return { key: Buffer.from([value ? 1 : 0]), fullText: null };
  if (typeof value === 'number') return { key: numberKey(value), fullText: null };
  if (resultType === 'TIMESTAMP') {
    return { key: numberKey(Date.parse(`${value.replace(' ', 'T')}Z`) / 1000), fullText: null };
  }
  return textKey(value);
}

/** UTF-8 bytes sort by code point, even if they are cut within a character. */
function textKey(text: string): SortKey {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= SORT_KEY_BYTES) return { key: bytes, fullText: null };
  return { key: bytes.subarray(0, SORT_KEY_BYTES), fullText: bytes };
}

/** IEEE 754, big-endian: with the sign bit inverted, and negative numbers inverted completely, the bytes sort by size. */
function numberKey(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  const first = bytes[0] ?? 0;
  if (first >= 0x80) return Buffer.from(bytes.map((byte) => byte ^ 0xff));
  bytes[0] = first | 0x80;
  return bytes;
}
