import { FabulaError, type FabulaProblem } from '../../../clients/typescript/client.js';
import { addressOf } from './console-place.js';

const LIMIT_MS = 30_000;

/**
 * Sends JSON to a route that is no part of the public API. Returns the answer, null for an empty one and for the status
 * `absent`. @throws FabulaError for a refusal.
 */
export async function sendTo<Answer>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
  { absent }: { absent?: number } = {},
): Promise<Answer> {
  const response = await fetch(addressOf(path), {
    method,
    credentials: 'same-origin',
    headers: {
      Accept: 'application/json',
      ...(method !== 'GET' && { 'X-Fabula-Console': '1' }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    signal: AbortSignal.timeout(LIMIT_MS),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (response.status === absent) return null as Answer;
  const text = await response.text();
  if (!response.ok) throw new FabulaError(response.status, problemsIn(text), undefined, undefined);
  return (text === '' ? null : JSON.parse(text)) as Answer;
}

/** Returns the problems that an answer names; none if it is no JSON, as that of a proxy. */
export function problemsIn(text: string): FabulaProblem[] {
  try {
    const { errors } = JSON.parse(text) as { errors?: FabulaProblem[] };
    return Array.isArray(errors) ? errors : [];
  } catch {
    return [];
  }
}
