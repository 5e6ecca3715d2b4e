import type { Session } from '../../platform/mysql/session.js';
import type { RetentionOwner } from './stores/due-store.js';
import type { RetentionKind } from './retention-kind.js';
import type { RetentionRound } from './retention-round.js';
import {
  type Cleared,
  findGone,
  FIRST_ROW,
  nextOwner,
  type RetentionPage,
  type RowCursor,
} from './stores/retention-rows-store.js';

const OWNERS_AT_ONCE = 200;
/** Seeks for deleted owners per use of a connection. */
const SEEKS_AT_ONCE = 100;

/** Deletes the due rows of a page; called in a transaction. */
export type ClearPage = (session: Session, page: RetentionPage) => Promise<Cleared>;

/** Rows of agents or stories, walked through by id, which is nearly by age. */
export interface OwnedRows {
  kind: RetentionKind;
  owner: 'agents' | 'stories';
  /** The column of the owner's id, the first one of an index. */
  place: { table: string; column: string };
  /** Returns the next existing owners; if absent, only rows of deleted owners are deleted. */
  owners?: (session: Session, page: { afterId: number; limit: number }) => Promise<RetentionOwner[]>;
  clear: ClearPage;
}

/** By owner: the row up to which all rows were due, and were deleted or had to stay. */
export type SettledRows = Map<number, RowCursor>;

/** Further owners are not remembered, and checked from the start each time. */
const MAX_SETTLED = 100_000;

/**
 * Deletes the due rows. If nothing is due, it reads one row per owner: all rows of an owner have the same retention time,
 * so they become due in the order of their ids.
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

/** Continues an owner's rows after the last settled one. */
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

/** Deletes rows of deleted owners, which it finds in the rows themselves, by seeks from one owner to the next. */
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
  /** Whether to start with a single row, as it is probably not due. */
  probe: boolean;
}

/**
 * Clears pages as long as rows are due. Returns the row up to which all were due: the remaining ones need no check for a
 * while.
 */
export async function clearRows(
  { kind, clear }: Pick<OwnedRows, 'kind' | 'clear'>,
  start: WalkFrom,
  round: RetentionRound,
): Promise<RowCursor> {
  const { countOnly, onlyArchived } = round;
  let { after } = start;
  let settled = after;
  let most = start.probe ? 1 : Number.POSITIVE_INFINITY;
  for (let unbroken = true; ; ) {
    const page = { ownerId: start.ownerId, after, countOnly, onlyArchived };
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
