import { createRoster, type Roster } from '../roster.js';

/** Why a job is handed back: its story has all the slots that it may have in this worker (rule 19). */
export class NoSlot extends Error {
  constructor() {
    super('The story has all the slots it may have in this worker');
    this.name = 'NoSlot';
  }
}

/** How many jobs of each story are under way in one worker. */
export interface StorySlots {
  /**
   * Gives what ends the use of the slot, as soon as there is one.
   * @throws NoSlot when it would be long until there is one: then the job stands in the way of other stories'.
   */
  take(storyId: number): Promise<() => void>;
}

/** What quick actions need to make room: they are not worth a way back through Redis. */
const WAIT_MS = 100;
/** How often a job looks again whether its turn is near. */
const MOST_WAITS = 5;
/** Its turn is near when it comes within so many waits, at the pace of the last one. */
const NEAR_WAITS = 2;

interface Story {
  used: number;
  /** Slots that have become free so far: the pace of the story. */
  ended: number;
  /** In the order of their coming; each is given the slot of one that ends. */
  waiting: Roster<() => void>;
}

/** At most `most` slots for one story, so that its slow actions leave room for others. */
export function createStorySlots(most: number, waitMs = WAIT_MS): StorySlots {
  const stories = new Map<number, Story>();

  const release = (storyId: number, story: Story) => {
    story.ended += 1;
    const [next] = story.waiting;
    if (next !== undefined) return next();
    story.used -= 1;
    if (story.used === 0) stories.delete(storyId);
  };

  return {
    take(storyId) {
      const story = stories.get(storyId) ?? { used: 0, ended: 0, waiting: createRoster() };
      stories.set(storyId, story);
      const end = () => release(storyId, story);
      if (story.used < most) {
        story.used += 1;
        return Promise.resolve(end);
      }
      return waitFor(story, waitMs).then(() => end);
    },
  };
}

/** Resolves when a slot was handed over. */
function waitFor(story: Story, waitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let waits = 0;
    let endedBefore = story.ended;
    const take = () => {
      clearInterval(timer);
      leave();
      resolve();
    };
    const timer = setInterval(() => {
      waits += 1;
      const pace = story.ended - endedBefore;
      endedBefore = story.ended;
      if (waits < MOST_WAITS && placeOf(take, story.waiting) < NEAR_WAITS * pace) return;
      clearInterval(timer);
      leave();
      reject(new NoSlot());
    }, waitMs);
    const leave = story.waiting.enter(take);
  });
}

/** How many wait before this one. */
function placeOf<Waiter>(waiter: Waiter, waiting: Iterable<Waiter>): number {
  let place = 0;
  for (const other of waiting) {
    if (other === waiter) break;
    place += 1;
  }
  return place;
}
