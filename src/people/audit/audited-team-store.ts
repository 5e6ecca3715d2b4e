import type { Session } from '../../platform/mysql/session.js';

/** A thing by its type and id. */
export interface TypedThing {
  type: string;
  id: number;
}

const OF_STORY = 'JOIN stories s ON s.id = x.story_id';

/** The tables of things that belong to a team, and that writes name without it; `x` is the thing. */
const SOURCES: ReadonlyMap<string, { from: string; team: string; tenant: string }> = new Map([
  ['story', { from: 'stories x', team: 'x.team_id', tenant: 'x.tenant_id' }],
  ['agent', { from: `agents x ${OF_STORY}`, team: 's.team_id', tenant: 's.tenant_id' }],
  ['dead_letter', { from: `deliveries x ${OF_STORY}`, team: 's.team_id', tenant: 's.tenant_id' }],
  [
    'credential',
    {
      from: 'credentials x JOIN teams t ON t.id = x.team_id',
      team: 'x.team_id',
      tenant: 't.tenant_id',
    },
  ],
]);

/** Whether the team of things of this type can be found. */
export const hasTeam = (type: string): boolean => SOURCES.has(type);

/** Returns the team of a thing of this tenant; undefined: it is not there, or its type is not known. */
export async function findAuditedTeam(
  session: Session,
  tenantId: number,
  { type, id }: TypedThing,
): Promise<number | undefined> {
  const source = SOURCES.get(type);
  if (source === undefined) return undefined;
  const [row] = await session.rows<{ teamId: number }>(
    `SELECT ${source.team} AS teamId FROM ${source.from} WHERE x.id = ? AND ${source.tenant} = ?`,
    [id, tenantId],
  );
  return row?.teamId;
}
