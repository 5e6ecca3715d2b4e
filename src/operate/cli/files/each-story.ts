import { messageOf } from '../../../platform/errors.js';
import { ApiFault, Unreached } from './api-client.js';
import type { StoryOutcome } from './compare-stories.js';

/** A story before anything is done with it, as far as it is known. */
export type KnownStory = Pick<StoryOutcome, 'path' | 'story_id' | 'name'>;

/**
 * Does the work for one story after the other. A story that fails is told with its fault, and the others are done. If it is the
 * server that fails, or the key, or there were too many calls, the others are not tried.
 * @throws the fault of a single story, and of a server or key that fails for the first.
 */
export async function eachStory<Item>(
  items: readonly Item[],
  knownOf: (item: Item) => KnownStory,
  work: (item: Item) => Promise<StoryOutcome>,
): Promise<StoryOutcome[]> {
  const outcomes: StoryOutcome[] = [];
  for (const [index, item] of items.entries()) {
    try {
      outcomes.push(await work(item));
    } catch (error) {
      const isLast = isOfAll(error);
      if (items.length === 1 || (isLast && index === 0)) throw error;
      outcomes.push(failed(knownOf(item), messageOf(error)));
      if (!isLast) continue;
      const rest = items.slice(index + 1).map((each) => failed(knownOf(each), 'not tried'));
      return [...outcomes, ...rest];
    }
  }
  return outcomes;
}

/** No key, and too many calls. */
const OF_ALL = new Set([401, 429]);

/** Whether the next story would fail for the same reason. */
function isOfAll(error: unknown): boolean {
  return error instanceof Unreached || (error instanceof ApiFault && OF_ALL.has(error.status));
}

function failed(known: KnownStory, note: string): StoryOutcome {
  return { ...known, state: 'failed', differences: [], conflicts: [], notes: [note] };
}
