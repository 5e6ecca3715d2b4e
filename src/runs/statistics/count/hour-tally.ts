import { bucketOf } from './duration-bucket.js';
import {
  AGENT_COUNTS,
  type AgentCounts,
  type DurationCount,
  type HourOf,
  STORY_COUNTS,
  type StoryCounts,
} from './counts.js';

type Hours<Counts> = Map<string, HourOf & Counts>;

/** Sums by hour of what a page of rows held. */
export interface HourTally {
  /** Adds to an hour of a story, and of an agent if there is one (its id is not 0). */
  add(place: { storyId: number; agentId?: number; hour: string }, counts: Partial<StoryCounts>): void;
  /** Adds the time that a run took. */
  addDuration(place: { storyId: number; hour: string }, ms: number): void;
  stories(): (HourOf & StoryCounts)[];
  agents(): (HourOf & AgentCounts)[];
  durations(): DurationCount[];
}

const NOTHING = Object.fromEntries(STORY_COUNTS.map((name) => [name, 0])) as unknown as StoryCounts;

/** Creates an empty tally. Its lists are in the order of keys, so that all writers lock alike (rule 2). */
export function createHourTally(): HourTally {
  const stories: Hours<StoryCounts> = new Map();
  const agents: Hours<StoryCounts> = new Map();
  const durations: Hours<{ bucket: number; runs: number }> = new Map();
  const add: HourTally['add'] = ({ storyId, agentId = 0, hour }, counts) => {
    addTo(stories, { id: storyId, hour }, counts);
    if (agentId !== 0) addTo(agents, { id: agentId, hour }, counts);
  };
  return {
    add,
    addDuration({ storyId, hour }, ms) {
      addTo(stories, { id: storyId, hour }, { durationMs: ms });
      const bucket = bucketOf(ms);
      const key = `${storyId} ${hour} ${bucket}`;
      const runs = (durations.get(key)?.runs ?? 0) + 1;
      durations.set(key, { id: storyId, hour, bucket, runs });
    },
    stories: () => inOrder(stories),
    agents: () => inOrder(agents).filter((agent) => AGENT_COUNTS.some((name) => agent[name] > 0)),
    durations: () => inOrder(durations).toSorted((a, b) => compare(a, b) || a.bucket - b.bucket),
  };
}

function addTo(hours: Hours<StoryCounts>, { id, hour }: HourOf, counts: Partial<StoryCounts>): void {
  const key = `${id} ${hour}`;
  const sum = hours.get(key) ?? { id, hour, ...NOTHING };
  for (const name of STORY_COUNTS) sum[name] += counts[name] ?? 0;
  hours.set(key, sum);
}

function inOrder<Counts>(hours: Hours<Counts>): (HourOf & Counts)[] {
  return [...hours.values()].toSorted(compare);
}

function compare(a: HourOf, b: HourOf): number {
  return a.id - b.id || (a.hour < b.hour ? -1 : Number(a.hour > b.hour));
}
