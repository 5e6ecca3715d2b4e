import { requireTeam, visibleTeamIds } from '../../access/auth/access.js';
import type { Actor } from '../../access/auth/actor.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Session } from '../../platform/mysql/session.js';
import { visibleStory } from '../../stories/visible-story.js';
import { findRunViews } from '../run-view-store.js';
import type { RunView } from '../run.js';
import { type PayloadMatch, runsWithPayload } from './payload-match-store.js';
import { type Candidate, type CandidateFilter, findCandidates } from './run-candidates-store.js';
import type { RunCursor } from './run-cursor.js';

/** A search of runs over stories. */
export interface RunSearch extends Omit<CandidateFilter, 'tenantId' | 'teamIds'> {
  teamId: number | undefined;
  /** Seconds from a run's start to its end; a run that is running has none. */
  minDuration: number | undefined;
  maxDuration: number | undefined;
  payload: PayloadMatch | undefined;
}

/** A page of found runs, newest first. */
export interface FoundRuns {
  runs: RunView[];
  /** Runs that were looked at. */
  lookedAt: number;
  /** The end of this page, where the next one begins; undefined: there are no more. */
  next: RunCursor | undefined;
  /** False if the search ended at one of its bounds before the page was full, or could not read all events of a run. */
  complete: boolean;
}

const BATCH = 100;
/** Runs that one request looks at, and its time; what follows is another request. */
const MOST_RUNS = 2_000;
const MOST_MS = 3_000;

export type RunSearchService = ReturnType<typeof createRunSearchService>;

/** Finds runs over all stories that the actor may see. */
export function createRunSearchService({ database }: { database: Pick<Database, 'read'> }) {
  return {
    /** @throws NotFound for a story or team that the actor may not see. */
    search: (
      actor: Actor,
      search: RunSearch,
      page: { after: RunCursor | undefined; size: number },
    ): Promise<FoundRuns> =>
      database.read(async (session) => {
        const filter = await filterOf(actor, search, session);
        const found: FoundRuns = { runs: [], lookedAt: 0, next: page.after, complete: true };
        const endsAt = performance.now() + MOST_MS;
        for (let isFirst = true; ; isFirst = false) {
          const isOver = found.lookedAt >= MOST_RUNS || performance.now() > endsAt;
          if (isOver && !isFirst) return { ...found, complete: false };
          const limit = BATCH;
          const { candidates, next } = await findCandidates(session, filter, { after: found.next, limit });
          const { runs, complete } = await matching(session, candidates, search);
          found.complete &&= complete;
          const room = page.size - found.runs.length;
          if (runs.length > room || (runs.length === room && next !== undefined)) {
            return { ...found, ...cutAt(runs.slice(0, room), found, candidates) };
          }
          found.runs.push(...runs);
          found.lookedAt += candidates.length;
          found.next = next;
          if (next === undefined) return found;
        }
      }),
  };
}

/** Ends a page at its last run: the next one begins after it. */
function cutAt(
  runs: RunView[],
  { runs: before, lookedAt }: FoundRuns,
  candidates: Candidate[],
): Pick<FoundRuns, 'runs' | 'lookedAt' | 'next'> {
  const last = runs.at(-1);
  const at = candidates.findIndex(({ id }) => id === last?.id);
  return { runs: [...before, ...runs], lookedAt: lookedAt + at + 1, next: candidates[at] };
}

async function filterOf(actor: Actor, search: RunSearch, session: Session): Promise<CandidateFilter> {
  const { teamId, storyId } = search;
  if (teamId !== undefined) requireTeam(actor, teamId, 'read');
  const story = storyId === undefined ? undefined : await visibleStory(actor, storyId, 'read', session);
  return {
    ...search,
    tenantId: actor.tenantId,
    teamIds: teamId === undefined ? visibleTeamIds(actor) : [teamId],
    ofDrafts: story === undefined ? search.ofDrafts : story.draftOf !== null,
  };
}

async function matching(
  session: Session,
  candidates: Candidate[],
  search: RunSearch,
): Promise<{ runs: RunView[]; complete: boolean }> {
  const views = await findRunViews(
    session,
    candidates.map(({ id }) => id),
  );
  const runs = views.filter((run) => isWanted(run, search));
  if (search.payload === undefined) return { runs, complete: true };
  const { guids, complete } = await runsWithPayload(
    session,
    runs.map(({ guid }) => guid),
    search.payload,
  );
  return { runs: runs.filter(({ guid }) => guids.has(guid)), complete };
}

function isWanted(run: RunView, { status, minDuration, maxDuration }: RunSearch): boolean {
  if (status !== undefined && run.status !== status) return false;
  if (minDuration === undefined && maxDuration === undefined) return true;
  if (run.endedAt === null) return false;
  const seconds = (run.endedAt.getTime() - run.createdAt.getTime()) / 1000;
  return seconds >= (minDuration ?? 0) && seconds <= (maxDuration ?? Number.POSITIVE_INFINITY);
}
