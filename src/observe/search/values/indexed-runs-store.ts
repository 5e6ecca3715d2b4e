import type { Session } from '../../../platform/mysql/session.js';
import {
  type RunCandidate,
  type CandidateFilter,
  type CandidatePage,
  conditions,
} from '../run-candidates-store.js';
import type { RunCursor } from '../run-cursor.js';
import type { DigestRange } from './value-digest.js';

/** Places at which a value may stand; one that stands at more is too common to find a run by. */
const MOST_PLACES = 32;

/** Returns the stored digests in a range; undefined if there are too many. Each is one seek. */
export async function findDigests(
  session: Session,
  { first, last }: DigestRange,
): Promise<Buffer[] | undefined> {
  if (first.equals(last)) return [first];
  const found: Buffer[] = [];
  for (let from = first, sign = '>='; ; sign = '>') {
    const [row] = await session.rows<{ digest: Buffer }>(
      `SELECT digest FROM run_values FORCE INDEX (run_values_digest)
       WHERE digest ${sign} ? AND digest <= ? ORDER BY digest LIMIT 1`,
      [from, last],
    );
    if (row === undefined) return found;
    if (found.length === MOST_PLACES) return undefined;
    found.push(row.digest);
    from = row.digest;
  }
}

/** A question to the index. */
export interface IndexQuery {
  digests: Buffer[];
  filter: CandidateFilter;
  /** In the order of their start, runs from this one on are known. */
  known: RunCursor | undefined;
}

/** Ids and times of runs are not quite in one order: so many ids above a known run may be of runs that started before it. */
const DISORDER = 1_000;

/** Returns the next runs that the index has for one of the digests, newest first. */
export async function findIndexedRuns(
  session: Session,
  { digests, filter, known }: IndexQuery,
  { after, limit }: { after: RunCursor; limit: number },
): Promise<CandidatePage> {
  const below = after === known ? after.id + DISORDER : after.id;
  const ids = await findIds(session, digests, { below, limit });
  if (ids.length === 0) return { candidates: [], next: undefined };
  const { where, values } = conditions(filter);
  const rows = await session.rows<RunCandidate & { fits: number }>(
    `SELECT r.id, r.created_at AS createdAt, ${where.join(' AND ')} AS fits
     FROM story_runs r FORCE INDEX (PRIMARY) STRAIGHT_JOIN stories s ON s.id = r.story_id
     WHERE r.id IN (?) ORDER BY r.id DESC`,
    [...values, ids],
  );
  const candidates = rows.filter((run) => run.fits === 1 && (known === undefined || isOlder(run, known)));
  const lastId = ids.at(-1);
  if (ids.length < limit || lastId === undefined) return { candidates, next: undefined };
  return { candidates, next: { id: lastId, createdAt: rows.at(-1)?.createdAt ?? after.createdAt } };
}

function isOlder(run: RunCursor, than: RunCursor): boolean {
  const apart = run.createdAt.getTime() - than.createdAt.getTime();
  return apart < 0 || (apart === 0 && run.id < than.id);
}

async function findIds(
  session: Session,
  digests: Buffer[],
  { below, limit }: { below: number; limit: number },
): Promise<number[]> {
  if (digests.length === 0) return [];
  const part = `(SELECT run_id AS id FROM run_values FORCE INDEX (run_values_digest)
                 WHERE digest = ? AND run_id < ? ORDER BY digest DESC, run_id DESC LIMIT ?)`;
  const rows = await session.rows<{ id: number }>(
    `SELECT DISTINCT id FROM (${digests.map(() => part).join(' UNION ALL ')}) found ORDER BY id DESC LIMIT ?`,
    [...digests.flatMap((digest) => [digest, below, limit]), limit],
  );
  return rows.map(({ id }) => id);
}
