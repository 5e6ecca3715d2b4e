import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { readNewest, type WalkPage, type WalkWindow } from '../../platform/mysql/statements/newest-page.js';
import { countUpTo } from '../../platform/mysql/statements/id-page.js';
import type { Session } from '../../platform/mysql/session.js';
import type { DueShadow } from './shadow-turns.js';
import { type RunPlace, SETTLED } from './shadow-run-store.js';
import {
  MOST_KEPT_SHADOWS,
  MOST_SHADOWS_OF_ALL,
  SHADOW_KEPT_DAYS,
  type Shadow,
  type ShadowCounts,
  type ShadowKind,
  type ShadowStop,
  type SkippedRuns,
} from './shadow.js';

const nameOf = (user: string) =>
  `COALESCE(NULLIF(TRIM(CONCAT_WS(' ', ${user}.first_name, ${user}.last_name)), ''), SUBSTRING_INDEX(${user}.email, '@', 1))`;

/** What a new shadow takes. */
export interface NewShadow {
  storyId: number;
  draftId: number;
  draftVersion: number;
  kind: ShadowKind;
  most: number;
  percent: number;
  /** Hours from now in which its runs begin; 0: they began before. */
  hours: number;
}

/** The user who begins a shadow, and the team of the key that is used, if it has one. */
interface Starter {
  tenantId: number;
  userId: number;
  keyTeamId: number | undefined;
}

/** Stores a shadow that begins after `from`, or now; returns its id. @throws a duplicate key if the draft has an open one. */
export async function createShadow(
  session: Session,
  { tenantId, userId, keyTeamId }: Starter,
  { from, ...given }: NewShadow & { from: RunPlace | undefined },
): Promise<number> {
  const { storyId, draftId, draftVersion, kind, most, percent, hours } = given;
  const place = [from?.at ?? null, from?.id ?? 0];
  const { insertId } = await session.run(
    `INSERT INTO shadows (tenant_id, user_id, key_team_id, story_id, draft_id, open_draft, draft_version, kind, most, percent, until_at,
                          from_at, from_id, last_at, last_id, waiting, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NOW(3) + INTERVAL ? HOUR, COALESCE(?, NOW(3)), ?, COALESCE(?, NOW(3)), ?, '[]',
             NOW(3) + INTERVAL ${SHADOW_KEPT_DAYS} DAY)`,
    [
      tenantId,
      userId,
      keyTeamId ?? null,
      storyId,
      draftId,
      draftId,
      draftVersion,
      kind,
      most,
      percent,
      hours,
      ...place,
      ...place,
    ],
  );
  return insertId;
}

/** Returns the number of the tenant's shadows that go on, up to `limit`. */
export function countOpenShadows(session: Session, tenantId: number, limit: number): Promise<number> {
  const query = {
    from: 'shadows FORCE INDEX (shadows_tenant)',
    where: 'tenant_id = ? AND open_draft IS NOT NULL',
    values: [tenantId],
  };
  return countUpTo(session, query, limit);
}

/** Returns the number of shadows of all tenants that go on, up to the most. */
export function countAllOpenShadows(session: Session): Promise<number> {
  const query = { from: 'shadows FORCE INDEX (shadows_open)', where: 'open_draft IS NOT NULL', values: [] };
  return countUpTo(session, query, MOST_SHADOWS_OF_ALL);
}

/** Lets retention delete the oldest shadows of a draft, so that it keeps the most with the one that is about to begin. */
export async function expireOldShadows(session: Session, draftId: number): Promise<void> {
  const [oldest] = await session.rows<{ id: number }>(
    `SELECT id FROM shadows FORCE INDEX (shadows_draft) WHERE draft_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?`,
    [draftId, MOST_KEPT_SHADOWS - 1],
  );
  if (oldest === undefined) return;
  await session.run(
    `UPDATE shadows SET expires_at = NOW(3) WHERE draft_id = ? AND id <= ? AND open_draft IS NULL`,
    [draftId, oldest.id],
  );
}

/** Returns the place before the last `count` runs of the story; undefined: it has no more than these. */
export async function placeBefore(
  session: Session,
  storyId: number,
  count: number,
): Promise<RunPlace | undefined> {
  const [row] = await session.rows<RunPlace>(
    `SELECT created_at AS at, id FROM story_runs FORCE INDEX (story_runs_list)
     WHERE story_id = ? ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ?`,
    [storyId, count],
  );
  return row;
}

/** Returns the ids of a page of the draft's shadows, newest first. */
export async function listShadowIds(
  session: Session,
  draftId: number,
  window: WalkWindow,
): Promise<WalkPage<number>> {
  const query = {
    id: 'id',
    from: 'shadows FORCE INDEX (shadows_draft)',
    where: 'draft_id = ?',
    values: [draftId],
  };
  return readNewest(session, query, { window, total: await countUpTo(session, query) });
}

type ShadowRow = Omit<Shadow, 'by' | 'stoppedBy' | 'skipped' | 'waiting'> & {
  skipped: string;
  waiting: string;
  userId: number | null;
  userName: string | null;
  stopperId: number | null;
  stopperName: string | null;
};

/** Returns the draft's shadows with these ids, in the order of the ids. */
export async function findShadows(session: Session, draftId: number, ids: number[]): Promise<Shadow[]> {
  if (ids.length === 0) return [];
  const rows = await session.rows<ShadowRow>(
    `SELECT w.id, w.story_id AS storyId, w.draft_id AS draftId, s.team_id AS teamId, w.kind, w.most, w.percent,
            w.until_at AS until, w.draft_version AS draftVersion, s.version AS presentVersion, w.restarts, w.waiting,
            w.same, w.different, w.partial, w.skipped, w.left_out AS leftOut, w.stop_reason AS stop,
            w.created_at AS createdAt, w.ended_at AS endedAt, u.id AS userId, ${nameOf('u')} AS userName,
            b.id AS stopperId, ${nameOf('b')} AS stopperName
     FROM shadows w JOIN stories s ON s.id = w.draft_id
     LEFT JOIN users u ON u.id = w.user_id LEFT JOIN users b ON b.id = w.stopped_by
     WHERE w.id IN (?) AND w.draft_id = ?`,
    [ids, draftId],
  );
  const byId = new Map(rows.map((row) => [row.id, shadowFrom(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function shadowFrom({
  userId,
  userName,
  stopperId,
  stopperName,
  skipped,
  waiting,
  ...row
}: ShadowRow): Shadow {
  return {
    ...row,
    skipped: parseJson(skipped) as SkippedRuns,
    waiting: idsIn(waiting).length,
    by: userId === null ? null : { id: userId, name: userName ?? '' },
    stoppedBy: stopperId === null ? null : { id: stopperId, name: stopperName ?? '' },
  };
}

function idsIn(text: string): number[] {
  return parseJson(text) as number[];
}

/** Whether any shadow goes on. */
export const ANY_OPEN_SHADOW = 'EXISTS (SELECT 1 FROM shadows WHERE open_draft IS NOT NULL)';

/** Shadows of a tenant that is being moved rest. */
const GOES_ON =
  'w.open_draft IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tenants t WHERE t.id = w.tenant_id AND t.frozen_at IS NOT NULL)';

/**
 * The place of the newest run that a shadow may take. It is read from that end of the index, and ORDER BY names the whole index:
 * a comparison with columns of the shadow would read all runs of the story.
 */
const NEWEST_RUN = `(SELECT r.created_at, r.id FROM story_runs r FORCE INDEX (story_runs_list)
                     WHERE r.story_id = w.story_id AND r.created_at <= LEAST(w.until_at, ${SETTLED})
                     ORDER BY r.story_id DESC, r.created_at DESC, r.id DESC LIMIT 1)`;

/**
 * Returns the shadows that go on and may have something to do, oldest first: runs follow, or are waited for, the draft was changed or is no
 * more, or the time is over. One that waits for its next run costs no more than the newest run of its story.
 */
export function findDueShadows(session: Session): Promise<DueShadow[]> {
  return session.rows<DueShadow>(
    `SELECT w.id, w.tenant_id AS tenantId
     FROM shadows w FORCE INDEX (shadows_open) LEFT JOIN stories s ON s.id = w.draft_id AND s.draft_of = w.story_id
     WHERE ${GOES_ON}
       AND (s.id IS NULL OR s.version <> w.draft_version OR w.waiting <> '[]' OR w.until_at <= ${SETTLED}
            OR (w.last_at, w.last_id) < ${NEWEST_RUN})
     ORDER BY w.id LIMIT ${2 * MOST_SHADOWS_OF_ALL}`,
  );
}

/** A shadow that goes on, with what the loop needs. */
export interface OpenShadow extends ShadowCounts {
  id: number;
  tenantId: number;
  userId: number;
  /** The team of the key that began it: it sees no other. */
  keyTeamId: number | null;
  storyId: number;
  draftId: number;
  kind: ShadowKind;
  most: number;
  percent: number;
  until: Date;
  draftVersion: number;
  last: RunPlace;
  /** Ids of taken runs that go on. */
  waiting: number[];
  /** Places of runs in the lists of its groups. */
  listed: number;
  turn: number;
  /** The draft and the live story as they are now; undefined: the draft was deleted or published. */
  draft: StoryState | undefined;
  live: StoryState | undefined;
}

/** The version of a story, and its team. */
export interface StoryState {
  version: number;
  teamId: number;
}

interface OpenRow extends Omit<OpenShadow, 'last' | 'waiting' | 'skipped' | 'draft' | 'live'> {
  lastAt: Date;
  lastId: number;
  waiting: string;
  skipped: string;
  version: number | null;
  teamId: number | null;
  liveVersion: number | null;
  liveTeamId: number | null;
}

/** Returns a shadow that goes on; undefined if it has ended, or its tenant is being moved. */
export async function findOpenShadow(session: Session, id: number): Promise<OpenShadow | undefined> {
  const [row] = await session.rows<OpenRow>(
    `SELECT w.id, w.tenant_id AS tenantId, w.user_id AS userId, w.key_team_id AS keyTeamId, w.story_id AS storyId,
            w.draft_id AS draftId, w.kind, w.most, w.percent, w.until_at AS until, w.draft_version AS draftVersion,
            w.last_at AS lastAt, w.last_id AS lastId, w.waiting, w.same, w.different, w.partial, w.skipped,
            w.left_out AS leftOut, w.listed, w.turn, s.version, s.team_id AS teamId, l.version AS liveVersion,
            l.team_id AS liveTeamId
     FROM shadows w LEFT JOIN stories s ON s.id = w.draft_id AND s.draft_of = w.story_id
     LEFT JOIN stories l ON l.id = s.draft_of
     WHERE w.id = ? AND ${GOES_ON}`,
    [id],
  );
  if (row === undefined) return undefined;
  const { lastAt, lastId, waiting, skipped, version, teamId, liveVersion, liveTeamId, ...rest } = row;
  return {
    ...rest,
    last: { at: lastAt, id: lastId },
    waiting: idsIn(waiting),
    skipped: parseJson(skipped) as SkippedRuns,
    draft: stateFrom(version, teamId),
    live: stateFrom(liveVersion, liveTeamId),
  };
}

function stateFrom(version: number | null, teamId: number | null): StoryState | undefined {
  return version === null || teamId === null ? undefined : { version, teamId };
}

/** Begins again for another version of the draft; false: somebody else stored a turn. The caller deletes what was found. */
export async function restartShadow(
  session: Session,
  { id, turn }: Pick<OpenShadow, 'id' | 'turn'>,
  draftVersion: number,
): Promise<boolean> {
  const { affectedRows } = await session.run(
    `UPDATE shadows SET draft_version = ?, restarts = restarts + 1, turn = turn + 1, last_at = from_at, last_id = from_id,
            waiting = '[]', same = 0, different = 0, partial = 0, skipped = '{}', left_out = 0,
            listed = 0
     WHERE id = ? AND turn = ? AND open_draft IS NOT NULL`,
    [draftVersion, id, turn],
  );
  return affectedRows > 0;
}

/** What one turn of a shadow stores. */
export interface ShadowTurn extends ShadowCounts {
  last: RunPlace;
  waiting: number[];
  hasEnded: boolean;
}

/** Stores a turn; false: somebody else did, or the shadow was stopped. */
export async function saveTurn(
  session: Session,
  { id, turn }: Pick<OpenShadow, 'id' | 'turn'>,
  { last, waiting, same, different, partial, skipped, hasEnded }: ShadowTurn,
): Promise<boolean> {
  const { affectedRows } = await session.run(
    `UPDATE shadows SET turn = turn + 1, last_at = ?, last_id = ?, waiting = ?, same = ?, different = ?, partial = ?,
            skipped = ?, ended_at = IF(?, NOW(3), NULL), open_draft = IF(?, NULL, open_draft)
     WHERE id = ? AND turn = ? AND open_draft IS NOT NULL`,
    [
      last.at,
      last.id,
      stringifyJson(waiting),
      same,
      different,
      partial,
      stringifyJson({ ...skipped }),
      hasEnded ? 1 : 0,
      hasEnded ? 1 : 0,
      id,
      turn,
    ],
  );
  return affectedRows > 0;
}

/** Counts groups of differences beyond the most, and the runs that were listed in groups. */
export async function addFound(
  session: Session,
  id: number,
  { leftOut, listed }: { leftOut: number; listed: number },
): Promise<void> {
  await session.run('UPDATE shadows SET left_out = left_out + ?, listed = listed + ? WHERE id = ?', [
    leftOut,
    listed,
    id,
  ]);
}

/** Ends a shadow before it had all of its runs. `userId`: of the person who did. */
export async function stopShadow(
  session: Session,
  id: number,
  { reason, userId }: { reason: ShadowStop; userId?: number },
): Promise<void> {
  await session.run(
    `UPDATE shadows SET stop_reason = ?, stopped_by = ?, ended_at = NOW(3), open_draft = NULL, turn = turn + 1
     WHERE id = ? AND open_draft IS NOT NULL`,
    [reason, userId ?? null, id],
  );
}

/** Ends a shadow that nobody can see any more. Retention deletes it with what it found, which nobody adds to from now on. */
export async function forgetShadow(session: Session, id: number): Promise<void> {
  await session.run(
    `UPDATE shadows SET open_draft = NULL, turn = turn + 1, ended_at = NOW(3), expires_at = NOW(3)
     WHERE id = ? AND open_draft IS NOT NULL`,
    [id],
  );
}
