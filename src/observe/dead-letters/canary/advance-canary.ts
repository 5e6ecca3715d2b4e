import {
  asDeadLetter,
  type DeadLetterRef,
  type Dispatcher,
  GRACE_SECONDS,
  reviveDeadLetters,
} from '../../../engine/face.js';
import { retryLockConflicts } from '../../../platform/mysql/commit/retry-conflicts.js';
import type { Database } from '../../../platform/mysql/database.js';
import type { Session } from '../../../platform/mysql/session.js';
import { errorKindOf } from '../groups/error-kind.js';
import { type CanaryCounts, STAGE_LETTERS, STAGES, type StopReason } from './canary.js';
import {
  countLetters,
  countPassedBefore,
  deleteLetters,
  letterNews,
  type LetterNews,
  markEnded,
  markSent,
  nextLetters,
  releaseWaiting,
} from './canary-letter-store.js';
import { type LockedCanary, lockCanary, saveProgress, saveStop } from './canary-store.js';

/** Letters retried in one transaction. */
const BATCH = 500;
/** Letters of the rest that run at once: a retry that is stopped has no more under way. */
const MOST_RUNNING = 1_000;

export interface AdvanceDeps {
  database: Pick<Database, 'transaction'>;
  /** If absent (command line), the relay adds the jobs at its next check. */
  dispatcher?: Pick<Dispatcher, 'dispatch' | 'forgetFailed'> | undefined;
}

/**
 * Takes one retry on by one step: notes how its letters ended, stops it if it must, or retries the next ones. All of it is
 * one transaction with the letters' own state, so a process may die anywhere, and several may do this at once.
 */
export async function advanceCanary({ database, dispatcher }: AdvanceDeps, id: number): Promise<void> {
  const grace = dispatcher === undefined ? 0 : GRACE_SECONDS;
  const revived = await retryLockConflicts(() => database.transaction((session) => step(session, id, grace)));
  // If this process dies here, the relay adds the jobs.
  const jobs = revived.map(({ id: deliveryId, ...job }) => ({ ...job, deliveryId }));
  dispatcher?.dispatch(jobs);
  dispatcher?.forgetFailed(jobs.map(asDeadLetter));
}

async function step(session: Session, id: number, grace: number): Promise<DeadLetterRef[]> {
  const canary = await lockCanary(session, id);
  if (canary === undefined || canary.hasEnded) return [];
  const news = await letterNews(session, id);
  for (const end of ['passed', 'failed', 'skipped'] as const) {
    const positions = news.filter((letter) => letter.end === end).map(({ position }) => position);
    await markEnded(session, id, { positions, end });
  }
  const before = await countLetters(session, id);
  const earlier = await countPassedBefore(session, canary);
  const reason =
    canary.stopReason ?? reasonToStop(canary, { ...before, passed: before.passed - earlier }, news);
  if (reason !== null && canary.stopReason === null) {
    const error = errorBehind(reason, news);
    await saveStop(session, id, { reason, error });
    await releaseWaiting(session, id);
  }
  const sent =
    reason === null
      ? await sendNext(session, { ...canary, grace }, before)
      : { stage: canary.stage, letters: [] };
  const counts = sent.letters.length === 0 && reason !== null ? before : await countLetters(session, id);
  const isDone = counts.running === 0 && (reason !== null || counts.waiting === 0);
  const hasEnded = isDone || canary.isOver;
  await saveProgress(session, { id, stage: sent.stage, ...counts, hasEnded });
  if (hasEnded) await deleteLetters(session, id);
  return sent.letters;
}

/** Returns why the letters that wait are not retried; null: they are. `passed` counts those of the stage. */
function reasonToStop(
  { stage, isOver }: LockedCanary,
  { waiting, running, passed, failed }: CanaryCounts,
  news: readonly LetterNews[],
): StopReason | null {
  if (waiting === 0) return null;
  if (isOver) return 'timed_out';
  if (news.some(isSameError)) return 'same_error';
  // Each stage before the rest needs one of its own that passed.
  const isTrial = stage > 0 && stage <= STAGE_LETTERS.length;
  return isTrial && running === 0 && failed > 0 && passed === 0 ? 'failed' : null;
}

/** The error need not be final: an attempt with the same error says as much, and the next one may be an hour away. */
function isSameError({ kind, error, end }: LetterNews): boolean {
  return kind !== null && error !== null && end !== 'passed' && errorKindOf(error) === kind;
}

function errorBehind(reason: StopReason, news: readonly LetterNews[]): string | null {
  const failed = news.find(reason === 'same_error' ? isSameError : ({ end }) => end === 'failed');
  return failed?.error ?? null;
}

async function sendNext(
  session: Session,
  { id, stage, grace }: LockedCanary & { grace: number },
  { waiting, running }: CanaryCounts,
): Promise<{ stage: number; letters: DeadLetterRef[] }> {
  const isRest = stage === STAGES.length;
  if (waiting === 0 || (!isRest && running > 0)) return { stage, letters: [] };
  const next = isRest ? stage : stage + 1;
  const size = STAGE_LETTERS[next - 1] ?? Math.min(BATCH, MOST_RUNNING - running);
  if (size <= 0) return { stage, letters: [] };
  const letters = await sendSome(session, id, { size, grace, isTrial: next <= STAGE_LETTERS.length });
  // If all that were looked at are gone, the stage has not begun.
  return { stage: letters.length === 0 ? stage : next, letters };
}

async function sendSome(
  session: Session,
  id: number,
  { size, grace, isTrial }: { size: number; grace: number; isTrial: boolean },
): Promise<DeadLetterRef[]> {
  const found = await nextLetters(session, id, BATCH);
  const chosen = found.filter(({ isReady }) => isReady).slice(0, size);
  const last = chosen.length < size ? Number.POSITIVE_INFINITY : (chosen.at(-1)?.position ?? 0);
  const revived = await reviveDeadLetters(session, chosen.map(refOf), grace);
  const alive = new Set(revived.map((letter) => letter.id));
  const sent = chosen.filter((letter) => alive.has(letter.id));
  await markSent(
    session,
    id,
    sent.map(({ position, retries, storyRunGuid, error }) => {
      return { position, retries, storyRunGuid, kind: isTrial ? errorKindOf(error) : null };
    }),
  );
  const passedOver = found.filter((letter) => letter.position <= last && !alive.has(letter.id));
  const positions = passedOver.map(({ position }) => position);
  await markEnded(session, id, { positions, end: 'skipped' });
  return revived;
}

function refOf({ id, generation, queue, storyId }: DeadLetterRef): DeadLetterRef {
  return { id, generation, queue, storyId };
}
