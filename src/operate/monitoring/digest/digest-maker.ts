import { isLockConflict } from '../../../platform/mysql/db-errors.js';
import { repeated } from '../../../platform/runtime/background-loop.js';
import { findFreshness } from '../../../observe/face.js';
import type { NotifierDeps } from '../notices/failure-notifier.js';
import { queueNotices } from '../outbox/notice-store.js';
import { noticesFor } from '../outbox/recipients.js';
import { type DigestFacts, readDigestFacts, type StoryDay } from './digest-facts.js';
import type { Notice } from '../outbox/notice.js';
import { deleteDigest, type DueDigest, findDueDigests, moveDigest } from './digest-store.js';
import { dayBefore, nextDigestTime } from './digest-times.js';

const MOST_LINES = 10;

const BATCH = 20;
const PAUSE_MS = 60_000;
/** A digest waits for its day to be counted, but not longer. */
const PATIENCE_MS = 3_600_000;

/**
 * Creates the maker of daily digests (spec §2.6). `tick` makes those of one batch that are due and returns their number. The
 * move to the next time and the notice are one transaction, and one process can make the move, so there is one digest
 * for each time. After an outage one digest follows, about the day before.
 */
export function createDigestMaker(deps: NotifierDeps) {
  const { database, logger } = deps;
  const tick = async (signal?: AbortSignal): Promise<number> => {
    const due = await database.read((session) => findDueDigests(BATCH, session));
    let made = 0;
    for (const digest of due) {
      if (signal?.aborted === true) break;
      if (await make(digest, deps)) made += 1;
    }
    return made;
  };
  return repeated({
    tick,
    pauseAfter: (made: number) => (made === BATCH ? 0 : PAUSE_MS),
    restAfterErrorMs: PAUSE_MS,
    failure: 'could not create digests',
    logger,
  });
}

/** Returns true if the digest was made by this process. */
async function make(digest: DueDigest, { database, baseUrl }: NotifierDeps): Promise<boolean> {
  const { teamId, tenantId, teamName, timezone, recipients, nextAt, now } = digest;
  if (teamName === null) {
    await database.read((session) => deleteDigest(teamId, session));
    return false;
  }
  const day = dayBefore(timezone, now);
  const { countedUntil } = await database.read(findFreshness);
  if (countedUntil < day.to && now.getTime() - nextAt.getTime() < PATIENCE_MS) return false;
  const facts = await database.read((session) => readDigestFacts(session, { tenantId, teamId }, day));
  const notice = digestNotice(facts, { team: { id: teamId, name: teamName }, day: day.name, baseUrl });
  try {
    return await database.transaction(async (session) => {
      if (!(await moveDigest(digest, nextDigestTime(digest, now), session))) return false;
      await queueNotices(noticesFor(recipients, { tenantId, teamId, storyId: null, notice }), session);
      return true;
    });
  } catch (error) {
    if (!isLockConflict(error)) throw error;
    return false;
  }
}

/** The digest's team, and the name of its day. */
interface DigestOf {
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
