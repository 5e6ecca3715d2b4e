import type { Session } from '../../platform/mysql/session.js';

/** What an entry is about, as it is called now. */
export interface AuditTarget {
  name: string;
  /** The story of an action. */
  storyId: number | null;
}

/** Entries of a type that is not here have no names. */
interface Named {
  from: string;
  /** SQL of the name; the table of the type is `x`. */
  name?: string;
  /** SQL of the tenant. */
  tenant?: string;
  storyId?: string;
}

const OF_STORY: Named = { from: 'stories x' };
const ofTeam = (table: string): Named => ({
  from: `${table} x JOIN teams t ON t.id = x.team_id`,
  tenant: 't.tenant_id',
});
const OF_ACTION: Named = {
  from: 'agents x JOIN stories s ON s.id = x.story_id',
  tenant: 's.tenant_id',
  storyId: 'x.story_id',
};
const OF_USER: Named = {
  from: 'users x',
  name: "COALESCE(NULLIF(TRIM(CONCAT(x.first_name, ' ', x.last_name)), ''), x.email)",
};

/** Where the names of each type of target stand. */
const NAMED: ReadonlyMap<string, Named> = new Map([
  ['story', OF_STORY],
  [
    'draft',
    { from: 'stories x', name: 'COALESCE(x.draft_name, x.name)', storyId: 'COALESCE(x.draft_of, x.id)' },
  ],
  ['agent', OF_ACTION],
  ['webhook', OF_ACTION],
  [
    'schedule',
    {
      from: 'schedules x JOIN agents a ON a.id = x.agent_id JOIN stories s ON s.id = x.story_id',
      name: 'a.name',
      tenant: 's.tenant_id',
      storyId: 'x.story_id',
    },
  ],
  [
    'story_version',
    {
      from: 'story_versions x JOIN stories s ON s.id = x.story_id',
      name: "COALESCE(NULLIF(x.name, ''), CONCAT('version ', x.number))",
      tenant: 's.tenant_id',
      storyId: 'x.story_id',
    },
  ],
  ['credential', ofTeam('credentials')],
  ['resource', ofTeam('resources')],
  ['folder', ofTeam('folders')],
  ['tag', ofTeam('tags')],
  ['promotion', { from: 'promotions x' }],
  ['record_type', { from: 'record_types x' }],
  ['case', { from: 'cases x' }],
  ['team', { from: 'teams x' }],
  ['template', { from: 'action_templates x' }],
  ['step', { from: 'steps x' }],
  ['api_key', { from: 'api_keys x' }],
  ['user', OF_USER],
  ['member', OF_USER],
]);

/** Returns the targets of one type that still exist in the tenant, by id; none for a type without names. */
export async function findAuditTargets(
  type: string,
  { ids, tenantId }: { ids: readonly number[]; tenantId: number },
  session: Session,
): Promise<Map<number, AuditTarget>> {
  const named = NAMED.get(type);
  if (named === undefined || ids.length === 0) return new Map();
  const { from, name = 'x.name', tenant = 'x.tenant_id', storyId = 'NULL' } = named;
  const rows = await session.rows<{ id: number } & AuditTarget>(
    `SELECT x.id, ${name} AS name, ${storyId} AS storyId FROM ${from} WHERE x.id IN (?) AND ${tenant} = ?`,
    [[...ids], tenantId],
  );
  return new Map(rows.map(({ id, ...target }) => [id, target]));
}
