import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const TAG_BYTES = 2;
const TAG_LENGTH = 2 * TAG_BYTES;
/** The last digits of all guids that this process makes. Two processes may have the same. */
const OWN_TAG = randomBytes(TAG_BYTES).toString('hex');

/** Returns a new run's guid: a UUIDv7, so that new runs are adjacent in indexes (rule 6), with the tag of this process. */
export function newRunGuid(): string {
  return uuidv7().slice(0, -TAG_LENGTH) + OWN_TAG;
}

/** Returns the tag of the process that made a guid. A guid made otherwise, such as from a signature, has any tag. */
export function tagOf(guid: string): string {
  return guid.slice(-TAG_LENGTH);
}

/** Returns when the run with this guid was started, in ms since 1970; undefined if its guid has no time. */
export function runStartOf(guid: string): number | undefined {
  return guid[14] === '7' ? Number.parseInt(guid.slice(0, 8) + guid.slice(9, 13), 16) : undefined;
}
