import type { FieldValue } from '../field-value.js';
import type { ResultType } from '../types/record-type.js';

/** Bytes of a text that the index holds. Longer texts are kept whole beside it. */
export const SORT_KEY_BYTES = 512;

/** A value as bytes that compare as the values do: numbers by size, times by time, text by code point. */
export interface SortKey {
  /** Null: empty. */
  key: Buffer | null;
  /** The whole of a text whose first bytes are the key; null when the key is all of it. */
  fullText: Buffer | null;
}

const EMPTY: SortKey = { key: null, fullText: null };

/** The key of a field's value. */
export function sortKeyOf(resultType: ResultType, value: FieldValue): SortKey {
  if (value === null || value === '') return EMPTY;
  if (typeof value === 'boolean') return { key: Buffer.from([value ? 1 : 0]), fullText: null };
  if (typeof value === 'number') return { key: numberKey(value), fullText: null };
  if (resultType === 'TIMESTAMP') {
    return { key: numberKey(Date.parse(`${value.replace(' ', 'T')}Z`) / 1000), fullText: null };
  }
  return textKey(value);
}

/** UTF-8 sorts by code point; also where it is cut within a character. */
function textKey(text: string): SortKey {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= SORT_KEY_BYTES) return { key: bytes, fullText: null };
  return { key: bytes.subarray(0, SORT_KEY_BYTES), fullText: bytes };
}

/** IEEE 754, big end first: with the sign turned over, and negative numbers wholly, the bytes sort by size. */
function numberKey(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  const first = bytes[0] ?? 0;
  if (first >= 0x80) return Buffer.from(bytes.map((byte) => byte ^ 0xff));
  bytes[0] = first | 0x80;
  return bytes;
}
