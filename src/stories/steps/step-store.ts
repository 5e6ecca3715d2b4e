import {
  containsPattern,
  assignments,
  idsOrNone,
  type Page,
  readPage,
  type Window,
} from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/statements/sql.js';
import type { StoryGraph } from '../graph/story-graph.js';
import type { VersionAuthor } from '../versions/version-author.js';

/** A part of a story that is kept to be used again, without its content. */
export interface StepRecord {
  id: number;
  tenantId: number;
  /** null: of the tenant. */
  teamId: number | null;
  userId: number;
  guid: string;
  name: string;
  description: string;
  /** The language of its templates, in all versions. */
  language: StoryGraph['language'];
  /** The newest version. */
  version: number;
  actionCount: number;
  /** The types of its actions, as JSON text. */
  actionTypes: string;
  createdAt: Date;
  updatedAt: Date;
  /** Live stories of the asked teams that use it, and how many of these have an older version. */
  stories: number;
  behind: number;
}

/** A version of a step, without its content. */
export interface StepVersionRecord extends VersionAuthor {
  stepId: number;
  number: number;
  reason: string;
  createdAt: Date;
}

/** Values of a new version. */
export interface NewStepVersion extends Pick<StepVersionRecord, 'stepId' | 'number' | 'reason' | 'userId'> {
  content: string;
}

/** The teams whose steps and stories the actor may see. */
export interface StepReader {
  tenantId: number;
  teamIds: readonly number[];
}

const USES =
  'FROM agents a JOIN stories s ON s.id = a.story_id WHERE a.step_guid = t.guid AND s.tenant_id = t.tenant_id' +
  ' AND s.draft_of IS NULL AND s.team_id IN (?)';
const COLUMNS =
  't.id, t.tenant_id AS tenantId, t.team_id AS teamId, t.user_id AS userId, t.guid, t.name, t.description, t.language, t.version,' +
  ' t.action_count AS actionCount, t.action_types AS actionTypes, t.created_at AS createdAt, t.updated_at AS updatedAt,' +
  ` (SELECT COUNT(DISTINCT a.story_id) ${USES}) AS stories,` +
  ` (SELECT COUNT(DISTINCT a.story_id) ${USES} AND a.step_version < t.version) AS behind`;

/** The steps that are listed; undefined: all. */
export interface StepFilter {
  search?: string | undefined;
  /** Steps that stories of this team may use: its own, and the tenant's. */
  teamId?: number | undefined;
  guids?: readonly string[] | undefined;
}

/** Returns a page of the steps that the reader may see, by name. */
export async function listSteps(
  { tenantId, teamIds }: StepReader,
  filter: StepFilter,
  window: Window,
  session: Session,
): Promise<Page<StepRecord>> {
  const seen = idsOrNone(filter.teamId === undefined ? teamIds : [filter.teamId]);
  const terms: [string, SqlValue][] = [
    ['t.tenant_id = ?', tenantId],
    ['(t.team_id IS NULL OR t.team_id IN (?))', seen],
  ];
  if (filter.search !== undefined && filter.search !== '') {
    terms.push(["t.name LIKE ? ESCAPE '!'", containsPattern(filter.search)]);
  }
  if (filter.guids !== undefined)
    terms.push(['t.guid IN (?)', filter.guids.length > 0 ? [...filter.guids] : ['']]);
  const where = terms.map(([sql]) => sql).join(' AND ');
  const values = terms.map(([, value]) => value);
  const [count] = await session.rows<{ total: number }>(
    `SELECT COUNT(*) AS total FROM steps t WHERE ${where}`,
    values,
  );
  const items = await session.rows<StepRecord>(
    `SELECT ${COLUMNS} FROM steps t WHERE ${where} ORDER BY t.name, t.id LIMIT ? OFFSET ?`,
    [idsOrNone(teamIds), idsOrNone(teamIds), ...values, window.limit, window.offset],
  );
  return { items, total: count?.total ?? 0 };
}

/** Returns the tenant's step with this id. */
export async function findStep(
  id: number,
  { tenantId, teamIds }: StepReader,
  session: Session,
): Promise<StepRecord | undefined> {
  const [step] = await session.rows<StepRecord>(
    `SELECT ${COLUMNS} FROM steps t WHERE t.id = ? AND t.tenant_id = ?`,
    [idsOrNone(teamIds), idsOrNone(teamIds), id, tenantId],
  );
  return step;
}

/** Returns the number of the tenant's steps. */
export async function countSteps(tenantId: number, session: Session): Promise<number> {
  const [row] = await session.rows<{ n: number }>('SELECT COUNT(*) AS n FROM steps WHERE tenant_id = ?', [
    tenantId,
  ]);
  return row?.n ?? 0;
}

/** A step to be written. */
export type NewStep = Pick<
  StepRecord,
  | 'tenantId'
  | 'teamId'
  | 'userId'
  | 'guid'
  | 'name'
  | 'description'
  | 'language'
  | 'actionCount'
  | 'actionTypes'
>;

/** Returns the id of the new step, whose first version is still to be written. */
export async function insertStep(step: NewStep, session: Session): Promise<number> {
  const { insertId } = await session.run(
    `INSERT INTO steps (tenant_id, team_id, user_id, guid, name, description, language, version, action_count, action_types)
     VALUES (?)`,
    [
      [
        step.tenantId,
        step.teamId,
        step.userId,
        step.guid,
        step.name,
        step.description,
        step.language,
        1,
        step.actionCount,
        step.actionTypes,
      ],
    ],
  );
  return insertId;
}

/** The columns of a step that may change; undefined ones stay. */
export type StepChange = {
  [Key in 'name' | 'description' | 'version' | 'actionCount' | 'actionTypes']?: StepRecord[Key] | undefined;
};

/** Sets the given columns. */
export async function updateStep(id: number, change: StepChange, session: Session): Promise<void> {
  const set = assignments({
    name: change.name,
    description: change.description,
    version: change.version,
    action_count: change.actionCount,
    action_types: change.actionTypes,
  });
  if (set === undefined) return;
  await session.run(`UPDATE steps SET ${set.sql}, updated_at = NOW(3) WHERE id = ?`, [...set.values, id]);
}

/** Deletes a step with its versions; what stories have of it stays. */
export async function deleteStep(id: number, session: Session): Promise<void> {
  await session.run('DELETE FROM step_versions WHERE step_id = ?', [id]);
  await session.run('DELETE FROM steps WHERE id = ?', [id]);
}

const VERSION_COLUMNS =
  'v.step_id AS stepId, v.number, v.reason, v.user_id AS userId, u.email AS userEmail, u.first_name AS userFirstName,' +
  ' u.last_name AS userLastName, v.created_at AS createdAt';

/** Returns a page of a step's versions, newest first. */
export function listStepVersions(
  stepId: number,
  window: Window,
  session: Session,
): Promise<Page<StepVersionRecord>> {
  const query = {
    columns: VERSION_COLUMNS,
    from: 'step_versions v LEFT JOIN users u ON u.id = v.user_id',
    where: 'v.step_id = ?',
    values: [stepId],
    order: 'v.number DESC, v.step_id',
  };
  return readPage<StepVersionRecord>(session, query, window);
}

/** Returns a version with its content. */
export async function findStepVersion(
  { stepId, number }: { stepId: number; number: number },
  session: Session,
): Promise<(StepVersionRecord & { content: string }) | undefined> {
  const [version] = await session.rows<StepVersionRecord & { content: string }>(
    `SELECT ${VERSION_COLUMNS}, v.content FROM step_versions v LEFT JOIN users u ON u.id = v.user_id
     WHERE v.step_id = ? AND v.number = ?`,
    [stepId, number],
  );
  return version;
}

/** Returns the contents of these versions that are kept, by number. */
export async function readStepContents(
  stepId: number,
  numbers: readonly number[],
  session: Session,
): Promise<[number, string][]> {
  const rows = await session.rows<{ number: number; content: string }>(
    'SELECT number, content FROM step_versions WHERE step_id = ? AND number IN (?)',
    [stepId, numbers.length > 0 ? [...numbers] : [0]],
  );
  return rows.map(({ number, content }) => [number, content]);
}

/** Writes a version, and deletes the oldest ones beyond `kept`. */
export async function insertStepVersion(
  { stepId, number, userId, reason, content }: NewStepVersion,
  kept: number,
  session: Session,
): Promise<void> {
  await session.run('INSERT INTO step_versions (step_id, number, user_id, reason, content) VALUES (?)', [
    [stepId, number, userId, reason, content],
  ]);
  await session.run('DELETE FROM step_versions WHERE step_id = ? AND number <= ?', [stepId, number - kept]);
}
