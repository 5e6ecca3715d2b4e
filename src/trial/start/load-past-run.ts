import type { Session } from '../../platform/mysql/session.js';
import { jsonWithMarkers } from '../../platform/secrets/secret-reference.js';
import { findPayloads } from '../../observe/face.js';
import {
  type PastCalledRun,
  findPastCalledRuns,
  findEventOutlines,
  findKnownActions,
  findRunEnd,
  findRunFailures,
} from './past-run-store.js';
import type { PastRun } from '../story/story-trial.js';

/** Bounds of what a trial takes of a past run. */
const MOST_EVENTS = 2_000;
const MOST_CALLED_RUNS = 200;
const MOST_LEVELS = 10;
const MOST_FAILURES = 500;
const MOST_BYTES = 16 * 1024 * 1024;

/** A run that the actor may see. */
export interface FoundRun {
  guid: string;
  storyId: number;
  createdAt: Date;
}

/**
 * Returns a run with the runs that it called, as far as `maySee` allows their teams. Payloads have markers in place of
 * secrets. Undefined if retention has deleted the event that the run began with.
 */
export async function loadPastRun(
  session: Session,
  run: FoundRun,
  maySee: (teamId: number) => boolean,
): Promise<PastRun | undefined> {
  const notTaken: string[] = [];
  const called = await calledRuns(session, run.guid, maySee, notTaken);
  const guids = [run.guid, ...called.map(({ runGuid }) => runGuid)];
  const found = await findEventOutlines(session, guids, MOST_EVENTS + 1);
  if (found.length > MOST_EVENTS) notTaken.push(`The run has more than ${MOST_EVENTS} events`);
  const outlines = found.slice(0, MOST_EVENTS);
  const first = outlines.find(({ runGuid }) => runGuid === run.guid);
  if (first === undefined || Object.keys(first.lineage).length > 1) return undefined;
  const payloads = await findPayloads(
    session,
    outlines.map(({ id }) => id),
    MOST_BYTES,
  );
  const tooLarge = outlines.length - payloads.size;
  if (tooLarge > 0) notTaken.push(`${tooLarge} events of the run are too large together`);
  const storyIds = [run.storyId, ...called.map(({ storyId }) => storyId)];
  const end = await findRunEnd(session, guids);
  if (!end.isOver) notTaken.push('The run has not ended');
  return {
    guid: run.guid,
    createdAtMs: run.createdAt.getTime(),
    ...end,
    firstId: first.id,
    events: outlines.map((event) => {
      const text = payloads.get(event.id);
      return { ...event, json: text === undefined ? null : jsonWithMarkers(text) };
    }),
    calls: called,
    failures: await findRunFailures(session, guids, MOST_FAILURES),
    actions: await findKnownActions(session, [...new Set(storyIds)]),
    notTaken,
  };
}

/** Level by level, as each called run may call others. */
async function calledRuns(
  session: Session,
  guid: string,
  maySee: (teamId: number) => boolean,
  notTaken: string[],
): Promise<PastCalledRun[]> {
  const all: PastCalledRun[] = [];
  let level = [guid];
  for (let depth = 0; level.length > 0 && depth < MOST_LEVELS; depth += 1) {
    const room = MOST_CALLED_RUNS - all.length;
    const found = await findPastCalledRuns(session, level, room + 1);
    if (found.length > room) notTaken.push(`The run called more than ${MOST_CALLED_RUNS} runs`);
    const seen = found.slice(0, room).filter(({ teamId }) => maySee(teamId));
    if (seen.length < Math.min(found.length, room)) notTaken.push('The run called a story of another team');
    all.push(...seen);
    level = seen.map(({ runGuid }) => runGuid);
  }
  return all;
}
