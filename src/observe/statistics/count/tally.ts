import { bucketOf } from './duration-bucket.js';
import {
  AGENT_COUNTS,
  type AgentCounts,
  type AllCounts,
  type DurationCount,
  type MinuteCounts,
  NO_COUNTS,
  type SpanOf,
  type StoryCounts,
} from './counts.js';

type Spans<Counts> = Map<string, SpanOf & Counts>;

/** Sums by hour and minute of what a page of rows held. */
export interface Tally {
  /** Adds to the minute of a story and to its hour, and to the hour of an agent if there is one (its id is not 0). */
  add(
    place: { storyId: number; agentId?: number; minute: string },
    counts: Partial<MinuteCounts & AgentCounts>,
  ): void;
  /** Adds the time that a run took, to the hour. */
  addDuration(place: { storyId: number; minute: string }, ms: number): void;
  /** Hours of stories. */
  stories(): (SpanOf & StoryCounts)[];
  /** Minutes of stories. */
  minutes(): (SpanOf & MinuteCounts)[];
  /** Hours of agents. */
  agents(): (SpanOf & AgentCounts)[];
  durations(): DurationCount[];
}

const NAMES = Object.keys(NO_COUNTS) as (keyof AllCounts)[];

/** Creates an empty tally. Its lists are in the order of keys, so that all writers lock alike (rule 2). */
export function createTally(): Tally {
  const stories: Spans<AllCounts> = new Map();
  const minutes: Spans<AllCounts> = new Map();
  const agents: Spans<AllCounts> = new Map();
  const durations: Spans<{ bucket: number; runs: number }> = new Map();
  const add: Tally['add'] = ({ storyId, agentId = 0, minute }, counts) => {
    const hour = hourOf(minute);
    addTo(stories, { id: storyId, at: hour }, counts);
    addTo(minutes, { id: storyId, at: minute }, counts);
    if (agentId !== 0) addTo(agents, { id: agentId, at: hour }, counts);
  };
  return {
    add,
    addDuration({ storyId, minute }, ms) {
      const hour = hourOf(minute);
      addTo(stories, { id: storyId, at: hour }, { durationMs: ms });
      const bucket = bucketOf(ms);
      const key = `${storyId} ${hour} ${bucket}`;
      const runs = (durations.get(key)?.runs ?? 0) + 1;
      durations.set(key, { id: storyId, at: hour, bucket, runs });
    },
    stories: () => inOrder(stories),
    minutes: () => inOrder(minutes),
    agents: () => inOrder(agents).filter((agent) => AGENT_COUNTS.some((name) => agent[name] > 0)),
    durations: () => inOrder(durations).toSorted((a, b) => compare(a, b) || a.bucket - b.bucket),
  };
}

/** Returns the start of a minute's hour: both are UTC. */
function hourOf(minute: string): string {
  return `${minute.slice(0, '2026-11-21 09'.length)}:00:00`;
}

function addTo(spans: Spans<AllCounts>, { id, at }: SpanOf, counts: Partial<AllCounts>): void {
  const key = `${id} ${at}`;
  const sum = spans.get(key) ?? { id, at, ...NO_COUNTS };
  for (const name of NAMES) sum[name] += counts[name] ?? 0;
  spans.set(key, sum);
}

function inOrder<Counts>(spans: Spans<Counts>): (SpanOf & Counts)[] {
  return [...spans.values()].toSorted(compare);
}

function compare(a: SpanOf, b: SpanOf): number {
  return a.id - b.id || (a.at < b.at ? -1 : Number(a.at > b.at));
}
