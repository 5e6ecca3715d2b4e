import type { Session } from '../../../platform/mysql/session.js';
import { listCountedStories, sumByStory, timeOfShare, type TimeRange } from '../../../observe/face.js';
import { readTeamStatus, type TeamStatus } from '../status/team-status.js';

/** The figures of a story's day. */
export interface StoryDay {
  id: number;
  name: string;
  runsStarted: number;
  runsFailed: number;
  /** Failures for good: dead letters, and errors that went down failure links. */
  failures: number;
  /** Time that 95 % of its runs did not exceed, in ms; undefined: none ended. */
  slowMs: number | undefined;
}

/** The facts of a digest. */
export interface DigestFacts {
  stories: StoryDay[];
  /** How it is now. */
  status: TeamStatus;
}

const PAGE = 500;
/** Further stories of a team are left out. */
const MOST_STORIES = 10_000;
const SLOW_SHARE = 0.95;

/** Reads the sums of the day for the stories of a team, a page at a time, and its status. */
export async function readDigestFacts(
  session: Session,
  { tenantId, teamId }: { tenantId: number; teamId: number },
  range: TimeRange,
): Promise<DigestFacts> {
  const scope = { tenantId, teamIds: [teamId], ofDrafts: false };
  const stories: StoryDay[] = [];
  for (let offset = 0; offset < MOST_STORIES; offset += PAGE) {
    const { items } = await listCountedStories(session, scope, { offset, limit: PAGE });
    const sums = await sumByStory(
      session,
      items.map(({ id }) => id),
      range,
    );
    for (const { id, name } of items) {
      const sum = sums.get(id);
      if (sum === undefined) continue;
      const { runsStarted, runsFailed, deadLetters, handledFailures, durations } = sum;
      const slowMs = timeOfShare(durations, SLOW_SHARE);
      stories.push({ id, name, runsStarted, runsFailed, failures: deadLetters + handledFailures, slowMs });
    }
    if (items.length < PAGE) break;
  }
  return { stories, status: await readTeamStatus(session, scope) };
}
