import { Conflict, type Problem } from '../../platform/errors.js';
import type { Session } from '../../platform/mysql/session.js';
import { packSnapshot, readSnapshot, type Snapshot } from './version-snapshot.js';
import {
  deleteVersions,
  findKeptVersions,
  findNewestVersion,
  insertVersion,
  type KeptVersion,
  markPresent,
  type NewestVersion,
  renameVersion,
  replaceVersionContent,
  type VersionSource,
} from './version-store.js';

/** How many versions of a story are kept, and how many bytes of the database they take. */
export const KEPT = { unnamed: 100, named: 200, bytes: 64 * 1024 * 1024 };
/** Edits of one user within this time are one version. */
const JOINED_MS = 60_000;

/** The change that makes a version. */
export interface VersionedChange {
  storyId: number;
  /** The user that made the change. */
  userId: number;
  source: VersionSource;
  /** undefined: an unnamed version, which is deleted when it is no longer among the newest. */
  name?: string | undefined;
  description?: string | undefined;
  /** undefined: now. */
  createdAt?: Date;
}

/**
 * Keeps the story's state as a version, in the transaction that changed it; the caller has locked the story. Edits of one
 * user within a minute join into one version. An unchanged state makes none, but may be given a name; files make one unless the
 * newest is of files, so that the history tells both. Returns the id of the version that holds the state.
 */
export async function keepVersion(change: VersionedChange, session: Session): Promise<number> {
  const snapshot = await readSnapshot(change.storyId, session);
  if (snapshot === undefined) throw new Error(`Story ${change.storyId} is missing after it was changed`);
  const newest = await findNewestVersion(change.storyId, session);
  if (newest?.digest === snapshot.digest && isSame(newest, change)) {
    await renameVersion(newest.id, change, session);
    await markPresent(newest.id, session);
    return newest.id;
  }
  if (newest !== undefined && joins(newest, change)) {
    await replaceVersionContent(newest.id, await packed(snapshot), session);
    return newest.id;
  }
  const number = (newest?.number ?? 0) + 1;
  const id = await insertVersion({ ...change, number, ...(await packed(snapshot)) }, session);
  await prune(change.storyId, session);
  return id;
}

/**
 * Keeps the state before a change if the newest version is another: after the newest version was deleted, and for stories
 * that are older than versions. `story` is read under its lock.
 */
export async function keepStateBefore(
  story: { id: number; userId: number; updatedAt: Date },
  session: Session,
): Promise<void> {
  const newest = await findNewestVersion(story.id, session);
  if (newest?.isPresent === true) return;
  const { id: storyId, userId, updatedAt: createdAt } = story;
  await keepVersion({ storyId, userId, source: 'before', createdAt }, session);
}

async function packed({ text, digest, size }: Snapshot) {
  return { digest, size, bytes: await packSnapshot(text) };
}

/** Whether a version of the same content stands for the change too. */
function isSame(newest: NewestVersion, { name, source }: VersionedChange): boolean {
  return (name === undefined || newest.name === null) && (source !== 'files' || newest.source === 'files');
}

function joins(newest: NewestVersion, { userId, source, name }: VersionedChange): boolean {
  const areEdits = newest.source === 'edit' && source === 'edit';
  const areUnnamed = newest.name === null && name === undefined;
  return areEdits && areUnnamed && newest.userId === userId && newest.ageMs < JOINED_MS;
}

async function prune(storyId: number, session: Session): Promise<void> {
  const doomed = tooMany(await findKeptVersions(storyId, session));
  await deleteVersions(doomed, session);
}

/** Returns the ids of the versions beyond a limit. `versions`: newest first; the newest is always kept. */
export function tooMany(versions: readonly KeptVersion[]): number[] {
  const left = { ...KEPT };
  return versions.flatMap(({ id, isNamed, storedBytes }, index) => {
    left[isNamed === 1 ? 'named' : 'unnamed'] -= 1;
    left.bytes -= storedBytes;
    const isKept = index === 0 || (left[isNamed === 1 ? 'named' : 'unnamed'] >= 0 && left.bytes >= 0);
    return isKept ? [] : [id];
  });
}

/** @throws Conflict if the story has as many named versions as are kept. */
export async function requireRoomForName(storyId: number, session: Session): Promise<void> {
  const named = (await findKeptVersions(storyId, session)).filter(({ isNamed }) => isNamed === 1);
  if (named.length >= KEPT.named) throw new Conflict([TOO_MANY_NAMES]);
}

const TOO_MANY_NAMES: Problem = {
  message: `The story already has ${KEPT.named} named versions; delete one first`,
  details: 'name',
};
