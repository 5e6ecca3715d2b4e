import type { CallParts, CallWriter, Proof } from './call-writer.js';
import { CURL } from './curl-call.js';
import { JAVASCRIPT } from './javascript-call.js';
import { PYTHON } from './python-call.js';

/** The language of a ready call. */
export type Language = 'curl' | 'javascript' | 'python';

const WRITERS: Record<Language, CallWriter> = { curl: CURL, javascript: JAVASCRIPT, python: PYTHON };

/** Returns a program that calls a webhook with a small JSON body; the signature is computed when it runs. */
export function readyCall(language: Language, proof: Proof, parts: CallParts): string {
  return WRITERS[language][proof](parts);
}

/** The address of a webhook without its secret, the last part. */
export function shortAddress(url: string, secret: string): string {
  const end = `/${encodeURIComponent(secret)}`;
  return url.endsWith(end) ? url.slice(0, -end.length) : url;
}
