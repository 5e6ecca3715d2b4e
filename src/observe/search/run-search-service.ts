import { type Actor, requireTeam, visibleTeamIds } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Session } from '../../platform/mysql/session.js';
import type { RunSubjects, Subject } from '../subjects/run-subjects.js';
import { visibleStory } from '../../stories/face.js';
import { type CandidateFilter, type CandidateWalk, chooseWalk, startAt } from './run-candidates-store.js';
import type { RunCursor } from './run-cursor.js';
import {
  type FindMore,
  type MatchedRun,
  type FoundRuns,
  type PageOfSearch,
  type RunSearch,
  type Walk,
  walkRuns,
} from './search-walk.js';
import { findIndexFreshness } from './values/index-position-store.js';
import { findDigests, findIndexedRuns } from './values/indexed-runs-store.js';
import { type DigestRange, matchDigests } from './values/value-digest.js';

/** Candidates of one statement. */
const BATCH = 100;

/** A page of found runs, each with what it is about. */
export interface NamedRuns extends Omit<FoundRuns, 'runs'> {
  runs: (MatchedRun & Subject)[];
}

export type RunSearchService = ReturnType<typeof createRunSearchService>;

/** Finds runs over all stories that the actor may see; with `byIndex` older ones by the index of values. */
export function createRunSearchService({
  database,
  byIndex,
  subjects,
}: {
  database: Pick<Database, 'read'>;
  byIndex: boolean;
  subjects: RunSubjects;
}) {
  return {
    /** @throws NotFound for a story or team that the actor may not see. */
    search: (actor: Actor, search: RunSearch, page: PageOfSearch): Promise<NamedRuns> =>
      database.read(async (session) => {
        const filter = await filterOf(actor, search, session);
        const found = await findRuns(session, { filter, search, page, byIndex });
        return { ...found, runs: await subjects.of(session, found.runs) };
      }),
  };
}

async function findRuns(
  session: Session,
  { byIndex, ...asked }: Omit<Asked, 'wanted' | 'walk'> & { byIndex: boolean },
): Promise<FoundRuns> {
  const { filter, search } = asked;
  const walk = await chooseWalk(session, filter);
  const look: FindMore = (after) => walk.find({ after, limit: BATCH });
  const looked = await walkRuns(session, look, asked);
  const wanted = byIndex && search.payload && matchDigests(filter.tenantId, search.payload);
  if (!wanted || looked.end !== 'bound' || looked.next === undefined) return foundIn(session, looked);
  return goOnByIndex(session, { ...looked, next: looked.next }, { ...asked, wanted, walk });
}

/** A walk that ended at its bound is not complete. */
async function foundIn(session: Session, { end, complete, ...found }: Walk): Promise<FoundRuns> {
  const isCut = end === 'bound' && found.next !== undefined;
  return {
    ...found,
    complete: complete && end !== 'bound',
    lookedSince: isCut ? await startAt(session, found.next?.id ?? 0) : undefined,
    indexedUntil: undefined,
  };
}

interface Asked {
  wanted: DigestRange;
  walk: CandidateWalk;
  filter: CandidateFilter;
  search: RunSearch;
  page: PageOfSearch;
}

/** Adds the older runs that the index has. Runs between, which are neither looked at nor indexed, leave it incomplete. */
async function goOnByIndex(
  session: Session,
  looked: Walk & { next: RunCursor },
  { wanted, walk, filter, search, page }: Asked,
): Promise<FoundRuns> {
  const start = looked.next;
  // Before the digests are read: what is indexed meanwhile counts as left out.
  const { lastId, indexedUntil } = await findIndexFreshness(session);
  const digests = await findDigests(session, wanted);
  if (digests === undefined) return foundIn(session, looked);
  const known = walk.isByTime ? start : undefined;
  const findMore: FindMore = (after = start) =>
    findIndexedRuns(session, { digests, filter, known }, { after, limit: BATCH });
  const rest = { after: start, size: page.size - looked.runs.length };
  const older = await walkRuns(session, findMore, { search, page: rest });
  const isGap = start.id > lastId + 1;
  return {
    runs: [...looked.runs, ...older.runs],
    lookedAt: looked.lookedAt + older.lookedAt,
    // If the index has no entry, the next page scans the gap.
    next: isGap && older.runs.length === 0 ? start : older.next,
    complete: looked.complete && older.complete && older.end !== 'bound' && !isGap,
    lookedSince: await startAt(session, start.id),
    indexedUntil,
  };
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
