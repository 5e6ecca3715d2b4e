import type { Resource } from '../../../../clients/typescript/api.js';

type Shared = Pick<Resource, 'read_access' | 'shared_team_slugs'>;

/** Which teams may use a thing: its own, all of the tenant, or some by their slugs. */
export interface Sharing {
  access: Resource['read_access'];
  /** The teams besides its own, with `SPECIFIC_TEAMS`. */
  slugs: readonly string[];
}

/** Returns the sharing of a resource or a credential. */
export function sharingOf({ read_access: access, shared_team_slugs: slugs }: Shared): Sharing {
  return { access, slugs };
}

/** Whether a sharing can be saved: one with some teams names a team. */
export function isWhole({ access, slugs }: Sharing): boolean {
  return access !== 'SPECIFIC_TEAMS' || slugs.length > 0;
}

/** Returns the fields of a request that change the sharing; none if it stays as it is. */
export function sharingChange(before: Shared, { access, slugs }: Sharing): Partial<Shared> {
  const isSome = access === 'SPECIFIC_TEAMS';
  const had = new Set(before.shared_team_slugs);
  const isSame = access === before.read_access && (!isSome || isSameSet(had, slugs));
  if (isSame) return {};
  return { read_access: access, ...(isSome && { shared_team_slugs: [...slugs] }) };
}

function isSameSet(had: ReadonlySet<string>, slugs: readonly string[]): boolean {
  return had.size === slugs.length && slugs.every((slug) => had.has(slug));
}
