import { isDuplicateKey, isLockConflict } from './db-errors.js';
import { Unavailable } from '../errors.js';

const MAX_TRIES = 5;

/**
 * Runs a transaction again when another one was in the way. A webhook path that was free a moment ago may be
 * taken by an import that runs at the same time: the unique index says so, and the next try sees it.
 * Nothing of a failed try is left behind.
 * @throws Unavailable after five tries.
 */
export function retryConflicts<T>(transaction: () => Promise<T>): Promise<T> {
  return retryWhile((error) => isDuplicateKey(error) || isLockConflict(error), transaction);
}

/** As `retryConflicts`, where a duplicate key is an answer and not a reason to try again. */
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
        throw new Unavailable('Other changes were in the way; please try again', { cause: error });
      }
    }
  }
}
