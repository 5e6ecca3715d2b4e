import { describePlace, describeValue } from '../diff/describe-value.js';
import type { MergeConflict } from '../merge/conflict-book.js';

/** Returns a conflict between files and the server in words. */
export function describeConflict({ base, live, draft, because, ...place }: MergeConflict): {
  place: string;
  text: string;
} {
  const values = `was ${describeValue(base)}; the server has ${describeValue(live)}, the files have ${describeValue(draft)}`;
  return {
    place: describePlace(place),
    text:
      because === undefined
        ? values
        : `${values}; ${because.replaceAll('the draft', 'the files').replaceAll('the live story', 'the server')}`,
  };
}
