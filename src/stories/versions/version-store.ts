import { insertRows } from '../../platform/mysql/statements/insert-rows.js';
import {
  readNewestRows,
  type WalkPage,
  type WalkWindow,
} from '../../platform/mysql/statements/newest-page.js';
import { assignments, idsOrNone } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import type { VersionAuthor } from './version-author.js';

/** The origin of a version: one call, or a change of the whole story. `before`: the state that no version had yet. */
export type VersionSource =
  | 'before'
  | 'edit'
  | 'import'
  | 'restore'
  | 'draft'
  | 'request'
  | 'files'
  | 'step'
  | 'promotion';

/** A version of a story, without its content. */
export interface VersionRecord extends VersionAuthor {
  id: number;
  storyId: number;
  /** Version number in the story, from 1. */
  number: number;
  name: string | null;
  description: string | null;
  source: VersionSource;
  digest: string;
  /** Bytes of its content. */
  size: number;
  /** Bytes that it takes in the database. */
  storedBytes: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Values of a version to be written. */
export interface NewVersion extends Pick<VersionRecord, 'storyId' | 'number' | 'source' | 'digest' | 'size'> {
  userId: number;
  name?: string | undefined;
  description?: string | undefined;
  /** The compressed content. */
  bytes: Buffer;
  /** undefined: now. */
  createdAt?: Date;
}

const PART_BYTES = 1024 * 1024;

const COLUMNS =
  'v.id, v.story_id AS storyId, v.number, v.name, v.description, v.source, v.digest, v.size,' +
  ' v.stored_bytes AS storedBytes, v.user_id AS userId, u.email AS userEmail, u.first_name AS userFirstName,' +
  ' u.last_name AS userLastName, v.created_at AS createdAt, v.updated_at AS updatedAt';
const FROM = 'story_versions v LEFT JOIN users u ON u.id = v.user_id';

/** Returns a page of the story's versions, newest first. */
export function listVersions(
  storyId: number,
  window: WalkWindow,
  session: Session,
): Promise<WalkPage<VersionRecord>> {
  const query = { columns: COLUMNS, from: FROM, where: 'v.story_id = ?', values: [storyId] };
  const order = { id: 'v.number' };
  const placeOf = ({ number }: VersionRecord) => ({ id: number });
  return readNewestRows<VersionRecord>(session, { ...query, order, placeOf }, window);
}

/** Returns the story's version with this id. */
export async function findVersion(
  { storyId, id }: { storyId: number; id: number },
  session: Session,
): Promise<VersionRecord | undefined> {
  const [version] = await session.rows<VersionRecord>(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE v.id = ? AND v.story_id = ?`,
    [id, storyId],
  );
  return version;
}

/** The newest version of a story. */
export interface NewestVersion extends VersionRecord {
  /** By the database's clock. */
  ageMs: number;
  /** Whether the story has not changed since. */
  isPresent: boolean;
}

/** Returns the newest version of the story. Call it under the story's lock. */
export async function findNewestVersion(
  storyId: number,
  session: Session,
): Promise<NewestVersion | undefined> {
  const [version] = await session.rows<Omit<NewestVersion, 'isPresent'> & { isPresent: number }>(
    `SELECT ${COLUMNS}, TIMESTAMPDIFF(MICROSECOND, v.created_at, NOW(3)) / 1000 + 0e0 AS ageMs,
            v.story_version = (SELECT s.version FROM stories s WHERE s.id = v.story_id) AS isPresent
     FROM ${FROM} WHERE v.story_id = ? ORDER BY v.number DESC LIMIT 1`,
    [storyId],
  );
  return version && { ...version, isPresent: version.isPresent === 1 };
}

/** Returns the compressed content of a version. */
export async function readVersionBytes(id: number, session: Session): Promise<Buffer> {
  const parts = await session.rows<{ bytes: Buffer }>(
    'SELECT bytes FROM story_version_parts WHERE version_id = ? ORDER BY position',
    [id],
  );
  return Buffer.concat(parts.map(({ bytes }) => bytes));
}

/** Inserts a version with its content; returns its id. */
export async function insertVersion(version: NewVersion, session: Session): Promise<number> {
  const { insertId } = await session.run(
    'INSERT INTO story_versions (story_id, number, name, description, source, user_id, digest, size, stored_bytes,' +
      ' created_at, story_version) SELECT id, ?, ?, ?, ?, ?, ?, ?, ?, COALESCE(?, NOW(3)), version FROM stories WHERE id = ?',
    [
      version.number,
      version.name ?? null,
      version.description ?? null,
      version.source,
      version.userId,
      version.digest,
      version.size,
      version.bytes.length,
      version.createdAt ?? null,
      version.storyId,
    ],
  );
  await insertParts(insertId, version.bytes, session);
  return insertId;
}

/** Replaces the content of a version. */
export async function replaceVersionContent(
  id: number,
  { digest, size, bytes }: Pick<NewVersion, 'digest' | 'size' | 'bytes'>,
  session: Session,
): Promise<void> {
  await session.run(
    'UPDATE story_versions SET digest = ?, size = ?, stored_bytes = ?, updated_at = NOW(3) WHERE id = ?',
    [digest, size, bytes.length, id],
  );
  await markPresent(id, session);
  await session.run('DELETE FROM story_version_parts WHERE version_id = ?', [id]);
  await insertParts(id, bytes, session);
}

/** Marks the version as the story's present state. */
export async function markPresent(id: number, session: Session): Promise<void> {
  await session.run(
    'UPDATE story_versions v JOIN stories s ON s.id = v.story_id SET v.story_version = s.version WHERE v.id = ?',
    [id],
  );
}

/** Returns the bytes in parts that fit the smallest accepted packet. */
export function packetParts(bytes: Buffer): Buffer[] {
  const count = Math.ceil(bytes.length / PART_BYTES);
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * PART_BYTES, (index + 1) * PART_BYTES),
  );
}

async function insertParts(versionId: number, bytes: Buffer, session: Session): Promise<void> {
  const parts = packetParts(bytes);
  await insertRows(session, {
    table: 'story_version_parts',
    columns: ['version_id', 'position', 'bytes'],
    rows: parts.map((part, position) => [versionId, position, part]),
    sizeOf: (_row, index) => parts[index]?.length ?? 0,
  });
}

/** Sets name and description where they are given; null removes one. */
export async function renameVersion(
  id: number,
  change: { name?: string | null | undefined; description?: string | null | undefined },
  session: Session,
): Promise<void> {
  const set = assignments({ name: change.name, description: change.description });
  if (set === undefined) return;
  await session.run(`UPDATE story_versions SET ${set.sql}, updated_at = NOW(3) WHERE id = ?`, [
    ...set.values,
    id,
  ]);
}

/** The facts that decide whether a version is kept. */
export interface KeptVersion {
  id: number;
  isNamed: number;
  storedBytes: number;
}

/** Returns all versions of the story, newest first: a few hundred at most. */
export function findKeptVersions(storyId: number, session: Session): Promise<KeptVersion[]> {
  return session.rows(
    'SELECT id, name IS NOT NULL AS isNamed, stored_bytes AS storedBytes FROM story_versions' +
      ' WHERE story_id = ? ORDER BY number DESC',
    [storyId],
  );
}

/** Deletes these versions with their content. */
export async function deleteVersions(ids: readonly number[], session: Session): Promise<void> {
  if (ids.length === 0) return;
  const values = [idsOrNone(ids)];
  await session.run('DELETE FROM story_version_parts WHERE version_id IN (?)', values);
  await session.run('DELETE FROM story_versions WHERE id IN (?)', values);
}

/** Deletes all versions of the story. */
export async function deleteStoryVersions(storyId: number, session: Session): Promise<void> {
  const kept = await findKeptVersions(storyId, session);
  await deleteVersions(
    kept.map(({ id }) => id),
    session,
  );
}
