import { QuotaReached } from '../../../people/face.js';
import { ClientGone } from '../../../platform/http/body/body-reader.js';
import { AppError } from '../../../platform/errors.js';
import { isTransient } from '../../../platform/mysql/db-errors.js';

/** Why a call of a webhook was refused. */
export const REFUSAL_REASONS = [
  'disabled',
  'method_not_allowed',
  'unauthorized',
  'reused_signature',
  'limited',
  'runaway_loop',
  'quota_reached',
  'too_large',
  'bad_request',
  'client_gone',
  'unavailable',
  'failed',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** A webhook that exists is "not found" only if it or its story is disabled. */
const OF_STATUS: Readonly<Record<number, RefusalReason>> = {
  401: 'unauthorized',
  404: 'disabled',
  405: 'method_not_allowed',
  409: 'reused_signature',
  413: 'too_large',
  429: 'limited',
  503: 'unavailable',
  508: 'runaway_loop',
};

/** Returns the reason of the error with which the call of an existing webhook ended. */
export function reasonOf(error: unknown): RefusalReason {
  if (error instanceof ClientGone) return 'client_gone';
  if (error instanceof QuotaReached) return 'quota_reached';
  if (error instanceof AppError) {
    return OF_STATUS[error.status] ?? (error.status < 500 ? 'bad_request' : 'failed');
  }
  return isTransient(error) ? 'unavailable' : 'failed';
}
