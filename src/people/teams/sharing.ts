import Joi from 'joi';
import { READ_ACCESS, type ReadAccess } from '../../api/face.js';
import type { Problem } from '../../platform/errors.js';
import type { Session } from '../../platform/mysql/session.js';
import { slugOf } from '../../platform/text/slug.js';
import { listTeamsOfTenant, type NamedTeam } from './team-share-store.js';

/** Which teams may use a thing, as a request says it. */
export interface SharingInput {
  read_access?: ReadAccess | undefined;
  shared_team_slugs?: readonly (string | undefined)[] | undefined;
}

/** Which teams may use a thing. */
export interface Sharing {
  readAccess: ReadAccess;
  teamIds: number[];
}

/** The most teams that a thing is shared with by name. */
const MAX_SHARED_TEAMS = 500;

/** The fields of a body that say which teams may use a thing; null and an empty text mean absent. */
export const sharingKeys = {
  read_access: Joi.string()
    .valid(...READ_ACCESS)
    .empty(Joi.valid(null, ''))
    .description('Teams that can use it: its own, all teams of the tenant, or those in `shared_team_slugs`'),
  shared_team_slugs: Joi.array()
    .items(Joi.string().max(255))
    .max(MAX_SHARED_TEAMS)
    .empty(null)
    .description('With `SPECIFIC_TEAMS`: slugs of the other teams'),
};

/** Returns the slugs of the teams that a thing is shared with. */
export function slugsOf(teams: readonly NamedTeam[]): string[] {
  return teams.map(({ name }) => slugOf(name));
}

/**
 * Returns the sharing after a request, and its problems. Undefined if the request does not change it.
 * Only teams of the tenant can be named.
 */
export async function planSharing(
  tenantId: number,
  { read_access: asked, shared_team_slugs: slugs }: SharingInput,
  before: Sharing,
  session: Session,
): Promise<{ sharing: Sharing | undefined; problems: Problem[] }> {
  if (asked === undefined && slugs === undefined) return { sharing: undefined, problems: [] };
  const readAccess = asked ?? before.readAccess;
  if (readAccess !== 'SPECIFIC_TEAMS') {
    const problems = (slugs ?? []).length === 0 ? [] : [NOT_SPECIFIC];
    return { sharing: { readAccess, teamIds: [] }, problems };
  }
  if (slugs === undefined) {
    const problems = before.teamIds.length === 0 ? [NO_TEAMS] : [];
    return { sharing: { readAccess, teamIds: before.teamIds }, problems };
  }
  return named(slugs, await listTeamsOfTenant(tenantId, session));
}

function named(slugs: readonly (string | undefined)[], teams: NamedTeam[]) {
  const known = new Map(teams.toReversed().map(({ id, name }) => [slugOf(name), id]));
  const teamIds = new Set<number>();
  const problems: Problem[] = slugs.length === 0 ? [NO_TEAMS] : [];
  for (const [index, slug] of slugs.entries()) {
    const id = slug === undefined ? undefined : known.get(slug);
    if (id !== undefined) teamIds.add(id);
    else if (slug !== undefined) problems.push(unknownTeam(index));
  }
  return { sharing: { readAccess: 'SPECIFIC_TEAMS' as const, teamIds: [...teamIds] }, problems };
}

const NOT_SPECIFIC: Problem = {
  message: '"shared_team_slugs" requires "read_access": SPECIFIC_TEAMS',
  details: 'shared_team_slugs',
};
const NO_TEAMS: Problem = {
  message: '"shared_team_slugs" must contain a team if "read_access" is SPECIFIC_TEAMS',
  details: 'shared_team_slugs',
};

function unknownTeam(index: number): Problem {
  return {
    message: `"shared_team_slugs[${index}]" is not the slug of a team of this tenant`,
    details: `shared_team_slugs[${index}]`,
  };
}
