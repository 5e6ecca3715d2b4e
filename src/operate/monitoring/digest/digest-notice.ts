import type { Notice } from '../outbox/notice.js';
import type { DigestFacts, StoryDay } from './digest-facts.js';

const MOST_LINES = 10;

/** The digest's team, and the name of its day. */
export interface DigestOf {
  team: { id: number; name: string };
  day: string;
  /** Prefix of the address in it, without a trailing slash. */
  baseUrl: string;
}

/** Returns the digest of a day. If nothing happened and nothing waits, it is one line. */
export function digestNotice({ stories, status }: DigestFacts, { team, day, baseUrl }: DigestOf): Notice {
  const lines = [
    ...runLines(stories),
    ...part(
      'Failures by story',
      ranked(stories, ({ failures }) => failures),
      ({ name, failures }) => `${name}: ${failures}`,
    ),
    ...part(
      'Dead letters now',
      status.failing,
      ({ name, deadLetters, lastError }) => `${name}: ${deadLetters} (${lastError})`,
    ),
    ...part(
      'Slowest stories (95th percentile)',
      ranked(stories, ({ slowMs = 0 }) => slowMs),
      ({ name, slowMs = 0 }) => `${name}: ${(slowMs / 1000).toFixed(1)} s`,
    ),
    ...part(
      'Silent monitored actions',
      status.silent,
      ({ name, storyName, since }) => `${name} of ${storyName}: since ${since.toISOString()}`,
    ),
  ];
  const nothing = lines.length === 0 ? ' Nothing ran, and there are no dead letters.' : '';
  return {
    kind: 'digest',
    subject: `[Team ${team.id}] Digest of ${day} for ${team.name}`,
    title: `The team "${team.name}" on ${day}.${nothing}`,
    lines,
    story: null,
    actions: [],
    links: { details: `${baseUrl}/api/v1/status?team_id=${team.id}` },
  };
}

function runLines(stories: readonly StoryDay[]): string[] {
  const sum = (name: 'runsStarted' | 'runsFailed') => stories.reduce((all, story) => all + story[name], 0);
  if (stories.length === 0) return [];
  return [`Runs: ${sum('runsStarted')} started, ${sum('runsFailed')} failed.`];
}

function ranked(stories: readonly StoryDay[], by: (story: StoryDay) => number): StoryDay[] {
  return stories.filter((story) => by(story) > 0).toSorted((a, b) => by(b) - by(a) || a.id - b.id);
}

function part<Item>(title: string, items: readonly Item[], line: (item: Item) => string): string[] {
  if (items.length === 0) return [];
  const more = items.length > MOST_LINES ? [`- and ${items.length - MOST_LINES} more`] : [];
  return ['', `${title}:`, ...items.slice(0, MOST_LINES).map((item) => `- ${line(item)}`), ...more];
}
