import type { Database } from '../platform/mysql/database.js';
import { assignments, idsOrNone, type Page, readPage, type Window } from '../platform/mysql/page-query.js';
import type { Session } from '../platform/mysql/session.js';
import type { JsonValue } from '../platform/json.js';
import { parseJson } from '../platform/json/parse-json.js';
import { stringifyJson } from '../platform/json/exact-number.js';

/** A value shared by a team's stories. */
export interface Resource {
  name: string;
  /** The name that templates may use besides `name`. */
  slug: string;
  /** Text, a list or an object. */
  value: JsonValue;
}

/** A resource with the columns that the API returns. */
export interface ResourceRecord extends Resource {
  id: number;
  teamId: number;
  folderId: number | null;
  description: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** The columns of a resource that can be set; undefined ones stay. */
export interface ResourceColumns {
  name?: string | undefined;
  slug?: string | undefined;
  value?: JsonValue | undefined;
  teamId?: number | undefined;
  folderId?: number | null | undefined;
  description?: string | null | undefined;
}

type ResourceRow = Omit<ResourceRecord, 'value'> & { value: string };

const COLUMNS =
  'id, team_id AS teamId, folder_id AS folderId, name, slug, value, description,' +
  ' created_at AS createdAt, updated_at AS updatedAt';

export type ResourceStore = ReturnType<typeof createResourceStore>;

/** Values are stored as JSON text, which keeps the order of keys (spec §5.1). */
export function createResourceStore(database: Pick<Database, 'read'>) {
  return {
    /** Returns the team's resources, oldest first. */
    async list(teamId: number): Promise<Resource[]> {
      const rows = await database.read((session) =>
        session.rows<{ name: string; slug: string; value: string }>(
          'SELECT name, slug, value FROM resources WHERE team_id = ? ORDER BY id',
          [teamId],
        ),
      );
      return rows.map((row) => ({ ...row, value: parseJson(row.value) }));
    },

    /** Inserts the resource, or replaces the value of the one with this name. */
    async save(teamId: number, { name, slug, value }: Resource): Promise<void> {
      await database.read((session) =>
        session.run(
          'INSERT INTO resources (team_id, name, slug, value) VALUES (?, ?, ?, ?)' +
            ' ON DUPLICATE KEY UPDATE value = VALUES(value), updated_at = NOW(3)',
          [teamId, name, slug, stringifyJson(value)],
        ),
      );
    },
  };
}

/** Returns a page of the resources of these teams, by id. */
export async function listResources(
  teamIds: number[],
  window: Window,
  session: Session,
): Promise<Page<ResourceRecord>> {
  const query = {
    columns: COLUMNS,
    from: 'resources',
    where: 'team_id IN (?)',
    values: [idsOrNone(teamIds)],
    order: 'id',
  };
  const { items, total } = await readPage<ResourceRow>(session, query, window);
  return { items: items.map(toRecord), total };
}

/** `lock`: locks the resource until the transaction ends. */
export async function findResource(
  id: number,
  session: Session,
  lock = false,
): Promise<ResourceRecord | undefined> {
  const [row] = await session.rows<ResourceRow>(
    `SELECT ${COLUMNS} FROM resources WHERE id = ?${lock ? ' FOR UPDATE' : ''}`,
    [id],
  );
  return row && toRecord(row);
}

/** Returns the new resource's id. A name that the team already uses gives a duplicate-key error. */
export async function insertResource(resource: Required<ResourceColumns>, session: Session): Promise<number> {
  const columns = columnsOf(resource);
  const { insertId } = await session.run(
    `INSERT INTO resources (${Object.keys(columns).join(', ')}) VALUES (?)`,
    [Object.values(columns).map((value) => value ?? null)],
  );
  return insertId;
}

/** Sets the given columns. A name that the team already uses gives a duplicate-key error. */
export async function updateResource(id: number, change: ResourceColumns, session: Session): Promise<void> {
  const set = assignments(columnsOf(change));
  if (set === undefined) return;
  await session.run(`UPDATE resources SET ${set.sql}, updated_at = NOW(3) WHERE id = ?`, [...set.values, id]);
}

export async function deleteResource(id: number, session: Session): Promise<void> {
  await session.run('DELETE FROM resources WHERE id = ?', [id]);
}

function columnsOf(resource: ResourceColumns) {
  return {
    team_id: resource.teamId,
    folder_id: resource.folderId,
    name: resource.name,
    slug: resource.slug,
    value: resource.value === undefined ? undefined : stringifyJson(resource.value),
    description: resource.description,
  };
}

function toRecord(row: ResourceRow): ResourceRecord {
  return { ...row, value: parseJson(row.value) };
}
