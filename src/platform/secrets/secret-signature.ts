import type { JsonValue } from '../json.js';
import { readContent, splitAtReferences } from './secret-reference.js';

/** The names of the functions that see credentials, for messages. */
export const SECRET_CHECKS = 'HMAC_VERIFY (a signature) or SECRET_EQUAL (the secret itself)';

/** Whether a text holds an HMAC that is computed when it is sent, also inside of another function. */
export function holdsSignature(text: string): boolean {
  const pending: JsonValue[] = [text];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'object' && next !== null) pending.push(...Object.values(next));
    if (typeof next !== 'string') continue;
    for (const part of splitAtReferences(next)) {
      const call = typeof part === 'string' ? undefined : readContent(part.body)?.call;
      if (call?.name.toLowerCase().startsWith('hmac_') === true) return true;
      if (call !== undefined) pending.push(call.values);
    }
  }
  return false;
}
