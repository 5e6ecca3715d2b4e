import type { Session } from '../../../platform/mysql/session.js';
import { findImported, isImported } from '../../backfill/imported-rows-store.js';
import type { WalkPosition } from '../../backfill/position-store.js';
import { settledRows } from '../../backfill/settled-rows-store.js';
import type { WalkedPage } from '../../backfill/walk-page.js';
import { readCountableEvents } from './event-count-store.js';
import { readCountableDeadLetters } from './dead-letter-count-store.js';
import {
  type CountableRun,
  forgetOpenRuns,
  noteOpenRuns,
  readOpenRuns,
  readStartedRuns,
  type CountableStart,
} from './run-count-store.js';
import { createTally, type Tally } from './tally.js';
import type { CountedKind } from './uncounted-store.js';

/** A page that was counted: the sums, and the position after it. */
export interface CountedPage extends WalkedPage {
  tally: Tally;
}

/** Counts the page after a position, in the transaction that has locked it. Returns undefined if nothing is to count. */
export type CountPage = (session: Session, position: WalkPosition) => Promise<CountedPage | undefined>;

const EVENTS = 2_000;
const RUNS = 500;
const LETTERS = 1_000;
const OPEN_RUNS = 2_000;

/** Returns the work for each kind of rows. Rows younger than `holdBackSeconds` are counted later. */
export function createCountingSteps(holdBackSeconds: number): Record<CountedKind, CountPage> {
  return {
    events: (session, position) => countEvents(session, position, holdBackSeconds),
    runs: (session, position) => countStarts(session, position, holdBackSeconds),
    dead_letters: (session, position) => countLetters(session, position, holdBackSeconds),
    ends: countEnds,
  };
}

async function countEvents(
  session: Session,
  { afterId, afterAt }: WalkPosition,
  holdBackSeconds: number,
): Promise<CountedPage | undefined> {
  const read = await readCountableEvents(session, { afterId, limit: EVENTS, holdBackSeconds });
  const rows = await settledRows(session, 'events', { rows: read, afterId });
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  const tally = createTally();
  const imported = await findImported('events', afterId, session);
  for (const { agentId, failure, workMs, ...place } of rows) {
    if (agentId === 0 || isImported(place, imported)) continue;
    const timed = workMs === null ? {} : { workMs, timedEvents: 1 };
    tally.add({ ...place, agentId }, { events: 1, handledFailures: failure, ...timed });
  }
  return { tally, position: { afterId: last.id, afterAt }, more: rows.length === EVENTS };
}

async function countStarts(
  session: Session,
  { afterId, afterAt }: WalkPosition,
  holdBackSeconds: number,
): Promise<CountedPage | undefined> {
  const read = await readStartedRuns(session, { afterId, limit: RUNS, holdBackSeconds });
  const rows = await settledRows(session, 'story_runs', { rows: read, afterId });
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  const tally = createTally();
  const imported = await findImported('story_runs', afterId, session);
  const own = rows.filter((run) => !isImported(run, imported));
  for (const run of own) countStart(tally, run);
  for (const run of own.filter(hasEnded)) countEnd(tally, run);
  await noteOpenRuns(
    session,
    own.filter((run) => !hasEnded(run)).map(({ id }) => id),
  );
  return { tally, position: { afterId: last.id, afterAt }, more: rows.length === RUNS };
}

async function countLetters(
  session: Session,
  position: WalkPosition,
  holdBackSeconds: number,
): Promise<CountedPage | undefined> {
  const rows = await readCountableDeadLetters(session, position, { limit: LETTERS, holdBackSeconds });
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  const tally = createTally();
  const imported = await findImported('deliveries', 0, session);
  for (const letter of rows) if (!isImported(letter, imported)) tally.add(letter, { deadLetters: 1 });
  return { tally, position: { afterId: last.id, afterAt: last.dueAt }, more: rows.length === LETTERS };
}

/** Looks at the next open runs; after the last one it begins again, with the next pass. */
async function countEnds(
  session: Session,
  { afterId, afterAt }: WalkPosition,
): Promise<CountedPage | undefined> {
  const runs = await readOpenRuns(session, { afterId, limit: OPEN_RUNS });
  const isLastPage = runs.length < OPEN_RUNS;
  const ended = runs.filter(hasEnded);
  if (isLastPage && afterId === 0 && ended.length === 0) return undefined;
  const tally = createTally();
  for (const run of ended) if (run.storyId !== null) countEnd(tally, run);
  await forgetOpenRuns(
    session,
    ended.map(({ id }) => id),
  );
  const position = { afterId: isLastPage ? 0 : (runs.at(-1)?.id ?? 0), afterAt };
  return { tally, position, more: !isLastPage && ended.length > 0 };
}

function hasEnded({ cancelled, open }: Pick<CountableRun, 'cancelled' | 'open'>): boolean {
  return cancelled === 1 || open === 0;
}

function countStart(tally: Tally, { storyId, minute, source, firstAgentId }: CountableStart): void {
  tally.add({ storyId, minute }, { runsStarted: 1 });
  if (source === 'webhook') tally.add({ storyId, minute, agentId: firstAgentId ?? 0 }, { webhookCalls: 1 });
}

function countEnd(tally: Tally, { storyId, endMinute, ...run }: CountableRun): void {
  const place = { storyId, minute: endMinute };
  const runsFailed = run.cancelled === 0 && run.failed === 1 ? 1 : 0;
  tally.add(place, { runsEnded: 1, runsFailed, runsCancelled: run.cancelled });
  if (run.durationMs !== null) tally.addDuration(place, Math.max(0, run.durationMs));
}
