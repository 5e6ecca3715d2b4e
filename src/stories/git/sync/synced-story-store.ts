import { isJsonObject } from '../../../platform/json.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import { insertRows } from '../../../platform/mysql/statements/insert-rows.js';
import type { Session } from '../../../platform/mysql/session.js';
import { packSnapshot, unpackSnapshot } from '../../versions/version-snapshot.js';
import { packetParts } from '../../versions/version-store.js';

/** A story that has files in a repository. */
export interface SyncedStory {
  storyId: number;
  /** The path of its file or folder within the folder of the repository, without an ending. */
  place: string;
  /** The files that both sides had in common; null: there were none yet. */
  digest: string | null;
  /** The version of the story that was compared last with those. */
  storyVersion: number | null;
  /** Files that were pushed, and are not in the branch yet. */
  pushedDigest: string | null;
  /** The commit of the branch of its pull request; null: it was not pushed. */
  pushedCommit: string | null;
  /** The draft that waits for a person. */
  draftId: number | null;
  /** The files that it was made of; null: it is not whole yet. */
  draftDigest: string | null;
  /** The draft is not published without a person. */
  draftWaits: boolean;
}

/** A kept content: what both sides had in common; what was pushed; what the draft was made of. */
export type BaseKind = 'base' | 'pushed' | 'draft';

/** A story of a team. */
export interface TeamStory {
  id: number;
  guid: string;
  name: string;
  version: number;
}

/** Stories of a team that are synced at most. */
export const MOST_STORIES = 1_000;

/** Returns the live stories of a team, by id: drafts are none. */
export function listTeamStories(teamId: number, session: Session): Promise<TeamStory[]> {
  return session.rows<TeamStory>(
    `SELECT id, guid, name, version FROM stories WHERE team_id = ? AND draft_of IS NULL ORDER BY id LIMIT ${MOST_STORIES}`,
    [teamId],
  );
}

/**
 * Returns the guids with which stories of a team were imported, by the ids of the stories. What the database cannot read, as
 * a text with the number 1e400, is read here.
 */
export async function findOriginGuids(teamId: number, session: Session): Promise<Map<number, string>> {
  const rows = await session.rows<{ id: number; guid: string | null; isRead: number | null }>(
    `SELECT id, IF(JSON_VALID(extra), JSON_UNQUOTE(JSON_EXTRACT(extra, '$.guid')), NULL) AS guid,
            JSON_VALID(extra) AS isRead
     FROM stories WHERE team_id = ? AND draft_of IS NULL ORDER BY id LIMIT ${MOST_STORIES}`,
    [teamId],
  );
  const guids = new Map<number, string>();
  for (const { id, guid, isRead } of rows) {
    const own = isRead === 0 ? await originGuidIn(id, session) : guid;
    if (own !== null) guids.set(id, own);
  }
  return guids;
}

async function originGuidIn(storyId: number, session: Session): Promise<string | null> {
  const [row] = await session.rows<{ extra: string }>('SELECT extra FROM stories WHERE id = ?', [storyId]);
  const extra = row && parseJson(row.extra);
  return isJsonObject(extra) && typeof extra.guid === 'string' ? extra.guid : null;
}

/** Returns a live story; undefined: it is not there any more. */
export async function findTeamStory(id: number, session: Session): Promise<TeamStory | undefined> {
  const [story] = await session.rows<TeamStory>('SELECT id, guid, name, version FROM stories WHERE id = ?', [
    id,
  ]);
  return story;
}

/** Returns the version of a draft of this story; undefined: it is not there any more. */
export async function findDraftVersion(
  { draftId, storyId }: { draftId: number; storyId: number },
  session: Session,
): Promise<number | undefined> {
  const [row] = await session.rows<{ version: number }>(
    'SELECT version FROM stories WHERE id = ? AND draft_of = ?',
    [draftId, storyId],
  );
  return row?.version;
}

/** Returns the drafts of a repository that wait for a person and are still there, with their versions. */
export function listDraftVersions(
  repositoryId: number,
  session: Session,
): Promise<{ id: number; version: number }[]> {
  return session.rows(
    `SELECT d.id, d.version FROM repository_stories r JOIN stories d ON d.id = r.draft_id
     WHERE r.repository_id = ? ORDER BY d.id`,
    [repositoryId],
  );
}

type SyncedRow = Omit<SyncedStory, 'draftWaits'> & { draftWaits: number };

const SYNCED = `SELECT story_id AS storyId, place, digest, story_version AS storyVersion, pushed_digest AS pushedDigest,
       pushed_commit AS pushedCommit, draft_id AS draftId, draft_digest AS draftDigest, draft_waits AS draftWaits
     FROM repository_stories WHERE repository_id = ?`;

const storyOf = (row: SyncedRow): SyncedStory => ({ ...row, draftWaits: row.draftWaits === 1 });

/** Returns what is known of the repository's stories. */
export async function listSyncedStories(repositoryId: number, session: Session): Promise<SyncedStory[]> {
  return (await session.rows<SyncedRow>(`${SYNCED} ORDER BY story_id`, [repositoryId])).map(storyOf);
}

/** Returns what is known of one story of the repository. */
export async function findSyncedStory(
  repositoryId: number,
  storyId: number,
  session: Session,
): Promise<SyncedStory | undefined> {
  const [row] = await session.rows<SyncedRow>(`${SYNCED} AND story_id = ?`, [repositoryId, storyId]);
  return row && storyOf(row);
}

/** Writes what is known of a story. */
export async function saveSyncedStory(
  repositoryId: number,
  story: SyncedStory,
  session: Session,
): Promise<void> {
  const values = {
    repository_id: repositoryId,
    story_id: story.storyId,
    place: story.place,
    digest: story.digest,
    story_version: story.storyVersion,
    pushed_digest: story.pushedDigest,
    pushed_commit: story.pushedCommit,
    draft_id: story.draftId,
    draft_digest: story.draftDigest,
    draft_waits: story.draftWaits,
  };
  const columns = Object.keys(values);
  await session.run(
    `INSERT INTO repository_stories (${columns.join(', ')}) VALUES (?)
     ON DUPLICATE KEY UPDATE ${columns.map((column) => `${column} = VALUES(${column})`).join(', ')}`,
    [Object.values(values)],
  );
}

/** Forgets a story. */
export async function deleteSyncedStory(
  repositoryId: number,
  storyId: number,
  session: Session,
): Promise<void> {
  await session.run('DELETE FROM repository_bases WHERE repository_id = ? AND story_id = ?', [
    repositoryId,
    storyId,
  ]);
  await session.run('DELETE FROM repository_stories WHERE repository_id = ? AND story_id = ?', [
    repositoryId,
    storyId,
  ]);
}

/** The place of a kept content. */
export interface BasePlace {
  repositoryId: number;
  storyId: number;
  kind: BaseKind;
}

/** Keeps a content: the text of a snapshot. */
export async function saveBase(
  { repositoryId, storyId, kind }: BasePlace,
  text: string,
  session: Session,
): Promise<void> {
  await deleteBase({ repositoryId, storyId, kind }, session);
  const parts = packetParts(await packSnapshot(text));
  await insertRows(session, {
    table: 'repository_bases',
    columns: ['repository_id', 'story_id', 'kind', 'position', 'bytes'],
    rows: parts.map((bytes, position) => [repositoryId, storyId, kind, position, bytes]),
    sizeOf: (_row, index) => parts[index]?.length ?? 0,
  });
}

/** Returns a kept content; null: there is none. */
export async function readBase(
  { repositoryId, storyId, kind }: BasePlace,
  session: Session,
): Promise<string | null> {
  const parts = await session.rows<{ bytes: Buffer }>(
    'SELECT bytes FROM repository_bases WHERE repository_id = ? AND story_id = ? AND kind = ? ORDER BY position',
    [repositoryId, storyId, kind],
  );
  return parts.length === 0 ? null : unpackSnapshot(Buffer.concat(parts.map(({ bytes }) => bytes)));
}

/** Makes a kept content the one that both sides have in common. */
export async function promoteBase(
  { repositoryId, storyId, kind }: BasePlace,
  session: Session,
): Promise<void> {
  const [found] = await session.rows(
    'SELECT 1 FROM repository_bases WHERE repository_id = ? AND story_id = ? AND kind = ? LIMIT 1',
    [repositoryId, storyId, kind],
  );
  if (found === undefined) return;
  await deleteBase({ repositoryId, storyId, kind: 'base' }, session);
  await session.run(
    "UPDATE repository_bases SET kind = 'base' WHERE repository_id = ? AND story_id = ? AND kind = ?",
    [repositoryId, storyId, kind],
  );
}

async function deleteBase({ repositoryId, storyId, kind }: BasePlace, session: Session): Promise<void> {
  await session.run('DELETE FROM repository_bases WHERE repository_id = ? AND story_id = ? AND kind = ?', [
    repositoryId,
    storyId,
    kind,
  ]);
}
