import type { Session } from '../../../platform/mysql/session.js';
import { errorExcerpt } from '../notices/failure-notice.js';
import { findUnconnected, type UnconnectedCredential } from '../../../data/face.js';
import { findSkippingSchedules, type SkippingSchedule } from '../../../stories/face.js';
import { causeOf } from '../../../engine/face.js';
import type { TeamScope } from '../shared-by-scope.js';
import { countFailingStories, LETTER_BOUNDS } from './failing-stories.js';
import {
  type CountedStory,
  findLastErrors,
  findLastNotices,
  findSilentActions,
  type SilentAction,
  type FailedNotice,
} from './team-status-store.js';

/** A story with dead letters. */
export interface FailingStory extends Omit<CountedStory, 'lastId'> {
  lastError: string;
  /** In one line, with what the response tells. */
  lastCause: string;
}

/** The status of the stories of teams. */
export interface TeamStatus {
  deadLetters: number;
  /** False: older dead letters were not looked at. */
  isComplete: boolean;
  failing: FailingStory[];
  silent: SilentAction[];
  notices: FailedNotice[];
  /** Schedules that have left out a start in the last day, up to a hundred. */
  skipping: SkippingSchedule[];
  /** Credentials that a person must connect, up to a hundred. */
  unconnected: UnconnectedCredential[];
}

const MOST_STORIES = 50;
const MOST_ACTIONS = 100;
const MOST_NOTICES = 20;
/** Schedules of `TeamStatus.skipping`. */
export const MOST_SCHEDULES = 100;
const MOST_CREDENTIALS = 100;

/** Reads the status by indexes, with bounds. */
export async function readTeamStatus(
  session: Session,
  scope: TeamScope,
  bounds = LETTER_BOUNDS,
): Promise<TeamStatus> {
  const { stories, isComplete } = await countFailingStories(session, scope, bounds);
  const shown = stories.slice(0, MOST_STORIES);
  const errors = await findLastErrors(
    session,
    shown.map(({ lastId }) => lastId),
  );
  const deadLetters = stories.reduce((sum, story) => sum + story.deadLetters, 0);
  return {
    deadLetters,
    isComplete,
    failing: shown.map(({ lastId, ...story }) => {
      const last = errors.get(lastId) ?? { error: null, cause: null };
      return { ...story, lastError: errorExcerpt(last.error ?? ''), lastCause: causeOf(last) ?? '' };
    }),
    silent: await findSilentActions(session, scope, MOST_ACTIONS),
    skipping: await findSkippingSchedules(session, scope, MOST_SCHEDULES),
    unconnected: await findUnconnected(session, scope, MOST_CREDENTIALS),
    notices: await findLastNotices(session, scope, MOST_NOTICES),
  };
}
