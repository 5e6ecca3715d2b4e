import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { assignments, type Page, readPage, type Window } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';

/** The content of a template. */
export interface TemplateContent {
  name: string;
  description: string;
  vendor: string;
  product: string;
  agentType: string;
  agentOptions: JsonObject;
  /** The inputs that it asks for; null: none are named. */
  actionInputs: JsonValue[] | null;
}

/** A named set of options for actions of one type, of a tenant. */
export interface ActionTemplate extends TemplateContent {
  id: number;
  createdAt: Date;
  updatedAt: Date;
}

interface TemplateRow extends Omit<ActionTemplate, 'agentOptions' | 'actionInputs'> {
  agentOptions: string;
  actionInputs: string | null;
}

const COLUMNS =
  'id, name, description, vendor, product, agent_type AS agentType, agent_options AS agentOptions,' +
  ' action_inputs AS actionInputs, created_at AS createdAt, updated_at AS updatedAt';

/** Returns a page of the tenant's templates, oldest first. */
export async function listTemplates(
  tenantId: number,
  window: Window,
  session: Session,
): Promise<Page<ActionTemplate>> {
  const query = {
    columns: COLUMNS,
    from: 'action_templates',
    where: 'tenant_id = ?',
    values: [tenantId],
    order: 'id',
  };
  const { items, total } = await readPage<TemplateRow>(session, query, window);
  return { items: items.map(toTemplate), total };
}

/** Returns the tenant's template with this id. */
export async function findTemplate(
  { id, tenantId }: { id: number; tenantId: number },
  session: Session,
): Promise<ActionTemplate | undefined> {
  const [row] = await session.rows<TemplateRow>(
    `SELECT ${COLUMNS} FROM action_templates WHERE id = ? AND tenant_id = ?`,
    [id, tenantId],
  );
  return row && toTemplate(row);
}

/** Returns the number of the tenant's templates. */
export async function countTemplates(tenantId: number, session: Session): Promise<number> {
  const [row] = await session.rows<{ n: number }>(
    'SELECT COUNT(*) AS n FROM action_templates WHERE tenant_id = ?',
    [tenantId],
  );
  return row?.n ?? 0;
}

/** Returns the new template's id. */
export async function insertTemplate(
  tenantId: number,
  content: TemplateContent,
  session: Session,
): Promise<number> {
  const columns = columnsOf(content);
  const { insertId } = await session.run(
    `INSERT INTO action_templates (tenant_id, ${Object.keys(columns).join(', ')}) VALUES (?)`,
    [[tenantId, ...Object.values(columns).map((value) => value ?? null)]],
  );
  return insertId;
}

/** Sets the given parts; undefined ones stay. */
export async function updateTemplate(
  id: number,
  change: { [Key in keyof TemplateContent]?: TemplateContent[Key] | undefined },
  session: Session,
): Promise<void> {
  const set = assignments(columnsOf(change));
  if (set === undefined) return;
  await session.run(`UPDATE action_templates SET ${set.sql}, updated_at = NOW(3) WHERE id = ?`, [
    ...set.values,
    id,
  ]);
}

export async function deleteTemplate(id: number, session: Session): Promise<void> {
  await session.run('DELETE FROM action_templates WHERE id = ?', [id]);
}

function columnsOf(change: { [Key in keyof TemplateContent]?: TemplateContent[Key] | undefined }) {
  const { actionInputs: inputs } = change;
  return {
    name: change.name,
    description: change.description,
    vendor: change.vendor,
    product: change.product,
    agent_type: change.agentType,
    agent_options: change.agentOptions && stringifyJson(change.agentOptions),
    action_inputs: inputs && stringifyJson(inputs),
  };
}

function toTemplate(row: TemplateRow): ActionTemplate {
  return {
    ...row,
    agentOptions: parseJson(row.agentOptions) as JsonObject,
    actionInputs: row.actionInputs === null ? null : (parseJson(row.actionInputs) as JsonValue[]),
  };
}
