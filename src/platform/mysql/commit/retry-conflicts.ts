import { isDuplicateKey, isLockConflict } from '../db-errors.js';
import { Unavailable } from '../../errors.js';

const MAX_TRIES = 5;

/**
 * Repeats a transaction after a conflict with another one. A concurrent import may take a webhook path that was free
 * before: the unique index reports it, and the next try sees it.
 * A failed try leaves no changes behind.
 * @throws Unavailable after five tries.
 */
export function retryConflicts<T>(transaction: () => Promise<T>): Promise<T> {
  return retryWhile((error) => isDuplicateKey(error) || isLockConflict(error), transaction);
}

/** Like `retryConflicts`, but a duplicate key is a valid result and not retried. */
export function retryLockConflicts<T>(transaction: () => Promise<T>): Promise<T> {
  return retryWhile(isLockConflict, transaction);
}

async function retryWhile<T>(
  inTheWay: (error: unknown) => boolean,
  transaction: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      if (!inTheWay(error)) throw error;
      if (attempt === MAX_TRIES) {
        throw new Unavailable('Other changes conflicted with this one; try again', { cause: error });
      }
    }
  }
}
