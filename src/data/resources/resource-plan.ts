import type { Actor } from '../../api/face.js';
import { planSharing, type Sharing, type SharingInput } from '../../people/face.js';
import { folderProblems } from '../folders/folder-of-team.js';
import type { Problem } from '../../platform/errors.js';
import type { JsonValue } from '../../platform/json.js';
import type { Session } from '../../platform/mysql/session.js';
import { isFaulty } from '../../platform/validation/partial-input.js';
import { attempt } from '../../platform/validation/validate.js';
import type { ResourceRecord } from './resource-store.js';
import { asType, type NamedType } from './resource-value.js';

/** The parts of a body whose meaning is checked. */
export interface ResourceParts extends SharingInput {
  team_id?: number | undefined;
  folder_id?: number | null | undefined;
  value?: JsonValue | undefined;
  value_type?: NamedType | undefined;
}

/** The body of an update. */
export interface ResourceBody extends ResourceParts {
  name?: string | undefined;
  description?: string | null | undefined;
  /** Whether story drafts use the test value. */
  test_resource_enabled?: boolean | undefined;
  /** Whether `value` is the test value. */
  is_test?: boolean | undefined;
}

/** A resource to create, as the body of the request names it. */
export interface NewResource extends ResourceBody {
  name: string;
  value: JsonValue;
  /** The resource that gets `value` as its test value, instead of a new one. */
  live_resource_id?: number | undefined;
}

/** The converted value, the new sharing, and all problems of the parts. */
export interface ResourcePlan {
  value: JsonValue | undefined;
  sharing: Sharing | undefined;
  problems: Problem[];
}

/** The sharing of a resource before a request; a new one has none. */
export const NOT_SHARED: Sharing = { readAccess: 'TEAM', teamIds: [] };

export function sharingOf({ readAccess, sharedTeams }: ResourceRecord): Sharing {
  return { readAccess, teamIds: sharedTeams.map(({ id }) => id) };
}

/** Plans the parts of a body for a resource of this team; without a valid team, any folder is accepted. */
export async function planParts(
  actor: Actor,
  { teamId, body, before }: { teamId: number | undefined; body: ResourceParts; before: Sharing },
  session: Session,
): Promise<ResourcePlan> {
  const { value: given, value_type: type, folder_id: folderId } = body;
  const { value, problems } = await attempt(() => (given === undefined ? undefined : asType(given, type)));
  const home = isFaulty(body, 'team_id') ? undefined : teamId;
  const ofFolder = await folderProblems(actor, { folderId, teamId: home }, session);
  const { sharing, problems: ofSharing } = await planSharing(actor.tenantId, body, before, session);
  return { value, sharing, problems: [...problems, ...ofFolder, ...ofSharing] };
}
