import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { readNewest, type WalkPage, type WalkWindow } from '../../platform/mysql/statements/newest-page.js';
import { countUpTo } from '../../platform/mysql/statements/id-page.js';
import type { Session } from '../../platform/mysql/session.js';
import {
  SHADOW_KEPT_DAYS,
  type Shadow,
  type ShadowCounts,
  type ShadowKind,
  type ShadowStop,
  type SkippedRuns,
} from './shadow.js';

/** Shadows that the loop takes up in one pass. */
const MOST_OPEN = 500;

const nameOf = (user: string) =>
  `COALESCE(NULLIF(TRIM(CONCAT_WS(' ', ${user}.first_name, ${user}.last_name)), ''), SUBSTRING_INDEX(${user}.email, '@', 1))`;

/** A place in the order of a story's runs. */
export interface RunPlace {
  at: Date;
  id: number;
}

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

/** Stores a shadow that begins after `from`, or now; returns its id. @throws a duplicate key if the draft has an open one. */
export async function createShadow(
  session: Session,
  { tenantId, userId }: { tenantId: number; userId: number },
  { from, ...given }: NewShadow & { from: RunPlace | undefined },
): Promise<number> {
  const { storyId, draftId, draftVersion, kind, most, percent, hours } = given;
  const place = [from?.at ?? null, from?.id ?? 0];
  const { insertId } = await session.run(
    `INSERT INTO shadows (tenant_id, user_id, story_id, draft_id, open_draft, draft_version, kind, most, percent, until_at,
                          from_at, from_id, last_at, last_id, waiting, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NOW(3) + INTERVAL ? HOUR, COALESCE(?, NOW(3)), ?, COALESCE(?, NOW(3)), ?, '[]',
             NOW(3) + INTERVAL ${SHADOW_KEPT_DAYS} DAY)`,
    [
      tenantId,
      userId,
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

/** Returns the ids of shadows that go on, oldest first. */
export async function findOpenShadows(session: Session): Promise<number[]> {
  const rows = await session.rows<{ id: number }>(
    `SELECT id FROM shadows FORCE INDEX (shadows_open) WHERE open_draft IS NOT NULL ORDER BY id LIMIT ${MOST_OPEN}`,
  );
  return rows.map(({ id }) => id);
}

/** A shadow that goes on, with what the loop needs. */
export interface OpenShadow extends ShadowCounts {
  id: number;
  tenantId: number;
  userId: number;
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
  leftOut: number;
  turn: number;
  /** The draft as it is now; undefined: it was deleted or published. */
  draft: { version: number; teamId: number } | undefined;
  /** Its tenant is being moved. */
  isFrozen: boolean;
}

interface OpenRow extends Omit<OpenShadow, 'last' | 'waiting' | 'skipped' | 'draft' | 'isFrozen'> {
  lastAt: Date;
  lastId: number;
  waiting: string;
  skipped: string;
  version: number | null;
  teamId: number | null;
  isFrozen: number;
}

/** Returns a shadow that goes on; undefined if it has ended. */
export async function findOpenShadow(session: Session, id: number): Promise<OpenShadow | undefined> {
  const [row] = await session.rows<OpenRow>(
    `SELECT w.id, w.tenant_id AS tenantId, w.user_id AS userId, w.story_id AS storyId, w.draft_id AS draftId, w.kind,
            w.most, w.percent, w.until_at AS until, w.draft_version AS draftVersion, w.last_at AS lastAt,
            w.last_id AS lastId, w.waiting, w.same, w.different, w.partial, w.skipped, w.left_out AS leftOut, w.turn,
            s.version, s.team_id AS teamId, COALESCE(t.frozen_at IS NOT NULL, 0) AS isFrozen
     FROM shadows w LEFT JOIN stories s ON s.id = w.draft_id AND s.draft_of = w.story_id
     LEFT JOIN tenants t ON t.id = w.tenant_id
     WHERE w.id = ? AND w.open_draft IS NOT NULL`,
    [id],
  );
  if (row === undefined) return undefined;
  const { lastAt, lastId, waiting, skipped, version, teamId, isFrozen, ...rest } = row;
  return {
    ...rest,
    last: { at: lastAt, id: lastId },
    waiting: idsIn(waiting),
    skipped: parseJson(skipped) as SkippedRuns,
    draft: version === null || teamId === null ? undefined : { version, teamId },
    isFrozen: isFrozen !== 0,
  };
}

/** Begins again for another version of the draft; false: somebody else stored a turn. The caller deletes the differences. */
export async function restartShadow(
  session: Session,
  { id, turn }: Pick<OpenShadow, 'id' | 'turn'>,
  draftVersion: number,
): Promise<boolean> {
  const { affectedRows } = await session.run(
    `UPDATE shadows SET draft_version = ?, restarts = restarts + 1, turn = turn + 1, last_at = from_at, last_id = from_id,
            waiting = '[]', same = 0, different = 0, partial = 0, skipped = '{}', left_out = 0
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

/** Counts groups of differences beyond the most. */
export async function addLeftOut(session: Session, id: number, count: number): Promise<void> {
  await session.run('UPDATE shadows SET left_out = left_out + ? WHERE id = ?', [count, id]);
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

/** Deletes a shadow. The caller deletes its differences. */
export async function deleteShadow(session: Session, id: number): Promise<void> {
  await session.run('DELETE FROM shadows WHERE id = ?', [id]);
}
