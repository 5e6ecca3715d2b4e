/** How a column's ids are changed: those of a table, or a position in it, which need not be the id of a row. */
export type IdKind = string | { after: string };

/** A table with rows of tenants. */
export interface TenantTable {
  name: string;
  /** The condition for the rows of a tenant; `:tenant` is its id. */
  where: string;
  /** The tables whose ids are in its columns. */
  ids: Readonly<Record<string, IdKind>>;
  /** The column whose ids tell the rows of a tenant from others: its own `id` unless given. */
  owner?: string;
  /** Columns whose texts may hold references to secrets. */
  texts?: readonly string[];
  /** SQL of a further value of each row. */
  also?: string;
}

/** Rows with the tenant's id. */
export const TENANT = 'tenant_id = :tenant';
const IN = {
  users: 'IN (SELECT x.id FROM users x WHERE x.tenant_id = :tenant)',
  teams: 'IN (SELECT x.id FROM teams x WHERE x.tenant_id = :tenant)',
  stories: 'IN (SELECT x.id FROM stories x WHERE x.tenant_id = :tenant)',
  agents: 'IN (SELECT x.id FROM agents x JOIN stories y ON y.id = x.story_id WHERE y.tenant_id = :tenant)',
  repositories: 'IN (SELECT x.id FROM team_repositories x WHERE x.tenant_id = :tenant)',
  types: 'IN (SELECT x.id FROM record_types x WHERE x.tenant_id = :tenant)',
  promotions: 'IN (SELECT x.id FROM promotions x WHERE x.tenant_id = :tenant)',
  promoted:
    'IN (SELECT x.id FROM promotion_stories x JOIN promotions y ON y.id = x.promotion_id WHERE y.tenant_id = :tenant)',
  cases: 'IN (SELECT x.id FROM cases x WHERE x.tenant_id = :tenant)',
};
/** Rows whose column has an id of the tenant's rows of another table. */
export const of = (parent: keyof typeof IN, column: string) => `${column} ${IN[parent]}`;
/** Rows of its users. */
export const ofUser = of('users', 'user_id');
/** Rows of its stories. */
export const ofStory = of('stories', 'story_id');
/** Rows of its drafts. */
export const ofDraft = of('stories', 'draft_id');
/** Rows of its actions. */
export const ofAgent = of('agents', 'agent_id');
/** Rows of its cases. */
export const ofCase = of('cases', 'case_id');
/** Rows of its teams. */
export const ofTeam = of('teams', 'team_id');
/** Rows of its repositories. */
export const ofRepository = of('repositories', 'repository_id');
