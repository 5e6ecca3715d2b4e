import type { Session } from '../../platform/mysql/session.js';
import type { RetentionOwner } from './due-store.js';
import type { RetentionKind } from './retention-kind.js';
import type { RetentionRound } from './retention-round.js';
import {
  type Cleared,
  findGone,
  FIRST_ROW,
  nextOwner,
  type RetentionPage,
  type RowCursor,
} from './retention-rows-store.js';

const OWNERS_AT_ONCE = 200;
/** Looks for owners that are gone, on one connection. */
const SEEKS_AT_ONCE = 100;

/** Deletes what has to go of a page of rows; in a transaction. */
export type ClearPage = (session: Session, page: RetentionPage) => Promise<Cleared>;

/** Rows that belong to agents or to stories, and are walked through by their ids: nearly by their age. */
export interface OwnedRows {
  kind: RetentionKind;
  owner: 'agents' | 'stories';
  /** Where the owner's id stands, first in an index. */
  place: { table: string; column: string };
  /** The next owners that are there; absent: only what is left of others goes. */
  owners?: (session: Session, page: { afterId: number; limit: number }) => Promise<RetentionOwner[]>;
  clear: ClearPage;
}

/** By owner: the row up to which everything was due, was looked at, and is gone or had to stay. */
export type SettledRows = Map<number, RowCursor>;

/** More owners than this are simply looked at again. */
const MAX_SETTLED = 100_000;

/**
 * Deletes what has to go of these rows. Where nothing is due, one row of each owner is looked at: an owner's rows all
 * have the same time to live, so they come due in the order of their ids.
 */
export async function clearOwned(
  rows: OwnedRows,
  settled: SettledRows,
  round: RetentionRound,
): Promise<void> {
  for (let afterId = 0; rows.owners !== undefined; ) {
    const { owners: find } = rows;
    const from = { afterId, limit: OWNERS_AT_ONCE };
    const owners = await round.look((session) => find(session, from));
    for (const { id, due } of owners) {
      if (due === 1) await goOn(rows, { ownerId: id, settled }, round);
    }
    if (owners.length < OWNERS_AT_ONCE) break;
    afterId = owners.at(-1)?.id ?? afterId;
  }
  if (round.thorough) await clearGone(rows, round);
}

/** Takes up an owner's rows where they were left. */
async function goOn(
  rows: OwnedRows,
  { ownerId, settled }: { ownerId: number; settled: SettledRows },
  round: RetentionRound,
): Promise<void> {
  const from = settled.get(ownerId);
  const start = { ownerId, after: from ?? FIRST_ROW, probe: from !== undefined };
  const until = await clearRows(rows, start, round);
  if (from !== undefined || settled.size < MAX_SETTLED) settled.set(ownerId, until);
}

/** Owners are looked for in the rows themselves, by jumps from one to the next. */
async function clearGone(rows: OwnedRows, round: RetentionRound): Promise<void> {
  for (let afterId: number | undefined = 0; afterId !== undefined; ) {
    const from: number = afterId;
    const { gone, last } = await round.look((session) => lookForGone(rows, from, session));
    for (const ownerId of gone) await clearRows(rows, { ownerId, after: FIRST_ROW, probe: false }, round);
    afterId = last;
  }
}

async function lookForGone(
  { owner, place }: OwnedRows,
  afterId: number,
  session: Session,
): Promise<{ gone: number[]; last: number | undefined }> {
  const ids: number[] = [];
  let last: number | undefined = afterId;
  while (last !== undefined && ids.length < SEEKS_AT_ONCE) {
    last = await nextOwner(session, place, last);
    if (last !== undefined) ids.push(last);
  }
  return { gone: await findGone(session, owner, ids), last };
}

interface WalkFrom {
  ownerId: number;
  after: RowCursor;
  /** Begins with a single row: most probably it is not due. */
  probe: boolean;
}

/**
 * Goes through rows for as long as they are due. Gives the row up to which all were due: what is left of them need not
 * be looked at for a while.
 */
export async function clearRows(
  { kind, clear }: Pick<OwnedRows, 'kind' | 'clear'>,
  start: WalkFrom,
  round: RetentionRound,
): Promise<RowCursor> {
  const { countOnly } = round;
  let { after } = start;
  let settled = after;
  let most = start.probe ? 1 : Number.POSITIVE_INFINITY;
  for (let unbroken = true; ; ) {
    const page = { ownerId: start.ownerId, after, countOnly };
    const cleared = await round.batch(kind, (session, limit) =>
      clear(session, { ...page, limit: Math.min(limit, most) }),
    );
    if (unbroken) ({ settled } = cleared);
    unbroken &&= cleared.allDue;
    if (!cleared.more) return settled;
    after = cleared.last;
    most = Number.POSITIVE_INFINITY;
  }
}
