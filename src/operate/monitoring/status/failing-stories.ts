import type { Session } from '../../../platform/mysql/session.js';
import type { TeamScope } from '../shared-by-scope.js';
import {
  type CountedStory,
  countTeamDeadLetters,
  findOlderPlace,
  type DeadLetterScope,
  NEWEST,
} from './team-status-store.js';

/** How far dead letters are counted. */
export interface DeadLetterBounds {
  /** Letters of the installation that one statement looks at. */
  lettersAtOnce: number;
  /** Letters of the teams after which no older ones are looked for. */
  mostLetters: number;
  /** Time after which no older ones are looked for: those of other teams are passed on the way. */
  mostMs: number;
}

/** A status may take five seconds in all. */
export const LETTER_BOUNDS: DeadLetterBounds = { lettersAtOnce: 10_000, mostLetters: 10_000, mostMs: 2_000 };

/** The stories with dead letters, the last to fail first. */
export interface FailingStories {
  stories: CountedStory[];
  /** False: older dead letters were not looked at. */
  isComplete: boolean;
}

/**
 * Counts the dead letters of teams by story, the newest first, in the order of an index. Letters of other teams cost time,
 * but hide none.
 */
export async function countFailingStories(
  session: Session,
  scope: TeamScope,
  { lettersAtOnce, mostLetters, mostMs }: DeadLetterBounds,
): Promise<FailingStories> {
  const endsAt = performance.now() + mostMs;
  const stories = new Map<number, CountedStory>();
  let letters = 0;
  let from: DeadLetterScope | undefined = NEWEST;
  do {
    const to: DeadLetterScope | undefined = await findOlderPlace(session, from, lettersAtOnce);
    for (const story of await countTeamDeadLetters(session, scope, { from, to })) {
      letters += story.deadLetters;
      stories.set(story.id, sumOf(stories.get(story.id), story));
    }
    from = to;
  } while (from !== undefined && letters < mostLetters && performance.now() < endsAt);
  return { stories: [...stories.values()].toSorted(lastFirst), isComplete: from === undefined };
}

/** Adds older letters of a story to those that were counted before. */
function sumOf(newer: CountedStory | undefined, older: CountedStory): CountedStory {
  if (newer === undefined) return older;
  return { ...newer, deadLetters: newer.deadLetters + older.deadLetters, since: older.since };
}

function lastFirst(one: CountedStory, other: CountedStory): number {
  return other.lastAt.getTime() - one.lastAt.getTime() || one.id - other.id;
}
