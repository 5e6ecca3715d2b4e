import { describePlace, describeValue } from '../diff/describe-value.js';
import type { MergeConflict } from './conflict-book.js';

/** What a merge calls its sides for the people who read its conflicts. */
export interface ConflictSides {
  /** Before the value that both were made of: `was`. */
  before: string;
  /** The side that is there, with its verb: `the server has`. */
  live: string;
  /** The side that comes, with its verb: `the files have`. */
  draft: string;
}

/** The sides of a draft and its story. */
export const DRAFT_SIDES: ConflictSides = {
  before: 'the draft was created with',
  live: 'the live story has',
  draft: 'the draft has',
};

/** The sides of files, in a folder or a repository, and the story on the server. */
export const FILE_SIDES: ConflictSides = {
  before: 'was',
  live: 'the server has',
  draft: 'the files have',
};

/** The sides of a promotion: the story in the tenant, and the one of the bundle. */
export const PROMOTION_SIDES: ConflictSides = {
  before: 'it came with',
  live: 'the story here has',
  draft: 'the bundle has',
};

/** Returns the place and the three values of a conflict in words, and the reason if there is one. */
export function conflictWords(
  { base, live, draft, because, ...place }: MergeConflict,
  sides: ConflictSides,
): { place: string; text: string } {
  // Null stands for a base that nobody knows, too: nothing is said of it then.
  const before = base === null ? '' : `${sides.before} ${describeValue(base)}; `;
  const values = `${before}${sides.live} ${describeValue(live)}, ${sides.draft} ${describeValue(draft)}`;
  return {
    place: describePlace(place),
    text: because === undefined ? values : `${values}; ${conflictReason(because, sides)}`,
  };
}

/** Returns why something is a conflict. A reason calls the sides by what they are for drafts; a name in it may have the same words. */
export function conflictReason(because: string, { live, draft }: ConflictSides): string {
  const there = live.replace(/ (?:has|have)$/, '');
  return because
    .replace(/^another action of the live story /, `another action of ${there} `)
    .replace(/^the (draft|live story) has /, (_, side) => `${side === 'draft' ? draft : live} `)
    .replace(/, which the (draft|live story) has removed$/, (_, side) => {
      return `, which ${side === 'draft' ? draft : live} removed`;
    });
}
