import type { Session } from '../../platform/mysql/session.js';
import { findRunViews } from '../runs/run-view-store.js';
import type { RunView } from '../runs/run.js';
import type { PayloadMatch, PayloadPlace } from './payload-match.js';
import { runsWithPayload } from './payload-match-store.js';
import type { RunCandidate, CandidateFilter, CandidatePage } from './run-candidates-store.js';
import type { RunCursor } from './run-cursor.js';

/** A search of runs over stories. */
export interface RunSearch extends Omit<CandidateFilter, 'tenantId' | 'teamIds'> {
  teamId: number | undefined;
  /** Seconds from a run's start to its end; a run that is running has none. */
  minDuration: number | undefined;
  maxDuration: number | undefined;
  /** Only runs with steps that logged errors and did not fail. */
  warnings: boolean | undefined;
  payload: PayloadMatch | undefined;
}

/** A run, and where it has the searched value. */
export interface MatchedRun extends RunView {
  match: PayloadPlace | undefined;
}

/** A page of found runs, newest first. */
export interface FoundRuns {
  runs: MatchedRun[];
  /** Runs that were looked at. */
  lookedAt: number;
  /** The end of this page, where the next one begins; undefined: there are no more. */
  next: RunCursor | undefined;
  /** False if the search ended at one of its bounds before the page was full, or could not read all events of a run. */
  complete: boolean;
  /** Runs that started since were looked at with all their events; undefined unless the search ended at a bound. */
  lookedSince: Date | undefined;
  /** Older runs were taken from the index, which has those that started before; undefined: it was not needed. */
  indexedUntil: Date | undefined;
}

/** Runs that one request looks at, and its time; what follows is another request. */
const MOST_RUNS = 2_000;
const MOST_MS = 3_000;

/** A page that is being filled. */
export interface PageOfSearch {
  after: RunCursor | undefined;
  size: number;
}

/** The end of a walk through candidates: at a full page, at its bound, or after the last candidate. */
export type WalkEnd = 'full' | 'bound' | 'last';
/** Returns the next candidates of a walk. */
export type FindMore = (after: RunCursor | undefined) => Promise<CandidatePage>;
/** The runs that a walk has found. */
export type Walk = Omit<FoundRuns, 'lookedSince' | 'indexedUntil'> & { end: WalkEnd };

/** Looks at candidates until the page is full, or a bound is reached. */
export async function walkRuns(
  session: Session,
  findMore: FindMore,
  { search, page }: { search: RunSearch; page: PageOfSearch },
): Promise<Walk> {
  const found: Walk = { runs: [], lookedAt: 0, next: page.after, complete: true, end: 'bound' };
  const endsAt = performance.now() + MOST_MS;
  for (let isFirst = true; ; isFirst = false) {
    const isOver = found.lookedAt >= MOST_RUNS || performance.now() > endsAt;
    if (isOver && !isFirst) return found;
    const { candidates, next } = await findMore(found.next);
    const { runs, complete } = await matching(session, candidates, search);
    found.complete &&= complete;
    const room = page.size - found.runs.length;
    if (runs.length > room || (runs.length === room && next !== undefined)) {
      return { ...found, ...cutAt(runs.slice(0, room), found, candidates), end: 'full' };
    }
    found.runs.push(...runs);
    found.lookedAt += candidates.length;
    found.next = next;
    if (next === undefined) return { ...found, end: 'last' };
  }
}

/** Ends a page at its last run: the next one begins after it. */
function cutAt(
  runs: MatchedRun[],
  { runs: before, lookedAt }: Walk,
  candidates: RunCandidate[],
): Pick<FoundRuns, 'runs' | 'lookedAt' | 'next'> {
  const last = runs.at(-1);
  const at = candidates.findIndex(({ id }) => id === last?.id);
  return { runs: [...before, ...runs], lookedAt: lookedAt + at + 1, next: candidates[at] };
}

async function matching(
  session: Session,
  candidates: RunCandidate[],
  search: RunSearch,
): Promise<{ runs: MatchedRun[]; complete: boolean }> {
  const views = await findRunViews(
    session,
    candidates.map(({ id }) => id),
  );
  const runs = views.filter((run) => isWanted(run, search));
  if (search.payload === undefined) {
    return { runs: runs.map((run) => ({ ...run, match: undefined })), complete: true };
  }
  const { places, complete } = await runsWithPayload(
    session,
    runs.map(({ guid }) => guid),
    search.payload,
  );
  const found = runs.filter(({ guid }) => places.has(guid));
  return { runs: found.map((run) => ({ ...run, match: places.get(run.guid) })), complete };
}

function isWanted(run: RunView, { status, minDuration, maxDuration, warnings }: RunSearch): boolean {
  if (status !== undefined && run.status !== status) return false;
  if (warnings === true && run.warnings === 0) return false;
  if (minDuration === undefined && maxDuration === undefined) return true;
  if (run.endedAt === null) return false;
  const seconds = (run.endedAt.getTime() - run.createdAt.getTime()) / 1000;
  return seconds >= (minDuration ?? 0) && seconds <= (maxDuration ?? Number.POSITIVE_INFINITY);
}
