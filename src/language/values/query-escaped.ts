import qs from 'node:querystring';
import { bytesOf } from '../../platform/text/byte-text.js';
import { holdsHalf } from '../../platform/text/whole-text.js';

/** Returns a name or value of a query, percent-encoded; bytes that are no text as they are. */
export function queryEscaped(text: string): string {
  if (!holdsHalf(text)) return qs.escape(text);
  return text.replace(/\P{Surrogate}+|\p{Surrogate}/gu, (part) =>
    holdsHalf(part) ? bytesOf(part).toString('hex').toUpperCase().replace(/../g, '%$&') : qs.escape(part),
  );
}
