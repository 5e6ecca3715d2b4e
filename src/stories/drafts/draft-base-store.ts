import { insertRows } from '../../platform/mysql/statements/insert-rows.js';
import type { Session } from '../../platform/mysql/session.js';
import { packSnapshot, readSnapshot, unpackSnapshot } from '../versions/version-snapshot.js';
import { findNewestVersion, packetParts, readVersionBytes } from '../versions/version-store.js';
import type { DraftRecord } from './draft-store.js';

/**
 * Keeps the live story's present state as the base of its draft. The caller has locked both. `uncounted`: changes of the
 * live story in this transaction that its version does not count yet.
 */
export async function saveDraftBase(
  { id, storyId }: Pick<DraftRecord, 'id' | 'storyId'>,
  session: Session,
  uncounted = 0,
): Promise<void> {
  await session.run('DELETE FROM draft_bases WHERE draft_id = ?', [id]);
  const newest = await findNewestVersion(storyId, session);
  if (newest?.isPresent === true) return copyVersion(newest.id, id, session);
  const snapshot = await readSnapshot(storyId, session);
  const [live] = await session.rows<{ version: number; now: Date }>(
    'SELECT version, NOW(3) AS now FROM stories WHERE id = ?',
    [storyId],
  );
  if (snapshot === undefined || live === undefined) throw new Error(`Story ${storyId} is missing`);
  await insertBase(id, { text: snapshot.text, version: live.version + uncounted, now: live.now }, session);
}

/** Keeps another state of its story as the base of a draft: the text of a snapshot. The caller has locked both. */
export async function replaceDraftBase(
  { id, storyId }: Pick<DraftRecord, 'id' | 'storyId'>,
  text: string,
  session: Session,
): Promise<void> {
  const [live] = await session.rows<{ version: number; now: Date }>(
    'SELECT version, NOW(3) AS now FROM stories WHERE id = ?',
    [storyId],
  );
  if (live === undefined) throw new Error(`Story ${storyId} is missing`);
  await session.run('DELETE FROM draft_bases WHERE draft_id = ?', [id]);
  await insertBase(id, { text, ...live }, session);
}

async function insertBase(
  id: number,
  { text, version, now }: { text: string; version: number; now: Date },
  session: Session,
): Promise<void> {
  const parts = packetParts(await packSnapshot(text));
  await insertRows(session, {
    table: 'draft_bases',
    columns: ['draft_id', 'position', 'story_version', 'created_at', 'bytes'],
    rows: parts.map((bytes, position) => [id, position, version, now, bytes]),
    sizeOf: (_row, index) => parts[index]?.length ?? 0,
  });
}

/** The newest version holds the present state already: the database copies it. */
async function copyVersion(versionId: number, draftId: number, session: Session): Promise<void> {
  await session.run(
    `INSERT INTO draft_bases (draft_id, position, story_version, created_at, bytes)
     SELECT ?, p.position, v.story_version, NOW(3), p.bytes
     FROM story_version_parts p JOIN story_versions v ON v.id = p.version_id WHERE v.id = ?`,
    [draftId, versionId],
  );
}

/**
 * Returns the state of the live story that the draft was made of, as the text of a snapshot; undefined: it is unknown. A
 * draft without a base of its own has the state that its story had when it was made, if a version of that is kept.
 */
export async function readDraftBase(
  draft: Pick<DraftRecord, 'id' | 'storyId' | 'createdAt'>,
  session: Session,
): Promise<string | undefined> {
  const parts = await session.rows<{ bytes: Buffer }>(
    'SELECT bytes FROM draft_bases WHERE draft_id = ? ORDER BY position',
    [draft.id],
  );
  if (parts.length > 0) return unpackSnapshot(Buffer.concat(parts.map(({ bytes }) => bytes)));
  return unchangedSince(draft, session);
}

async function unchangedSince(
  { storyId, createdAt }: Pick<DraftRecord, 'storyId' | 'createdAt'>,
  session: Session,
): Promise<string | undefined> {
  const [live] = await session.rows<{ id: number }>(
    'SELECT id FROM stories WHERE id = ? AND updated_at <= ?',
    [storyId, createdAt],
  );
  if (live !== undefined) return (await readSnapshot(storyId, session))?.text;
  // The content of an edit may be replaced by a later one within a minute; that of the others stays.
  const [version] = await session.rows<{ id: number }>(
    `SELECT id FROM story_versions
     WHERE story_id = ? AND (CASE source WHEN 'edit' THEN updated_at ELSE created_at END) <= ?
     ORDER BY number DESC LIMIT 1`,
    [storyId, createdAt],
  );
  return version && unpackSnapshot(await readVersionBytes(version.id, session));
}

/** Forgets bases that are younger than this state of the draft: it does not hold what came with them. */
export async function forgetLaterBase(draftId: number, stateAt: Date, session: Session): Promise<void> {
  await session.run('DELETE FROM draft_bases WHERE draft_id = ? AND created_at > ?', [draftId, stateAt]);
}
