import { v7 as uuidv7 } from 'uuid';
import type { AuditedWrite } from '../../api/face.js';
import { isJsonObject } from '../../platform/json.js';
import type { AuditedChange } from './audited-changes.js';
import type { TypedThing } from './audited-team-store.js';

/**
 * Tenant id of changes to the whole instance, such as changes on the queue board. Ids of tenants start at 1, so no
 * tenant sees these entries.
 */
export const INSTANCE = 0;

/** One write through the API or from the command line, as the audit log keeps it. */
export interface AuditEntry {
  /** Created before the first attempt to store the entry, so that a retry cannot store it twice. */
  guid: string;
  tenantId: number;
  /** Team of the changed object, if path, body or response name it, or its story or action; otherwise null. */
  teamId: number | null;
  /** Null for a command without a user. */
  userId: number | null;
  /** Email address at that time. */
  userEmail: string | null;
  /** Null for a command, which needs no key, and for a session. */
  keyId: number | null;
  /** The session of the console; null for a key or a command. */
  sessionId: number | null;
  /** `record.update`. */
  action: string;
  /** `record`. */
  targetType: string;
  targetId: number | null;
  /** `CLI` for a command. */
  method: string;
  /** Path without the query; for a command, its name without arguments. */
  path: string;
  ip: string | null;
  userAgent: string | null;
  requestId: string;
  /** Reason given in the request, if any. */
  reason: string | null;
  /** Status of the response, where refused changes are recorded too; null if the change succeeded. */
  status: number | null;
  /** What it changed; null: not recorded. */
  changes: AuditedChange[] | null;
  createdAt: Date;
}

/** Sizes of the columns. */
const MAX_PATH = 1024;
const MAX_IP = 45;
const MAX_USER_AGENT = 512;
/** Types whose id has another name: a member is identified by its user. */
const OWN_KEYS: Record<string, string> = { member: 'user_id' };
/** Actions that create an object: the response has its id, and the path has the id of its parent. */
const MAKES = /\.(?:create|import|add)\w*$/;

/** Creates the entry of a write. */
export function auditEntry(write: AuditedWrite): AuditEntry {
  const { action, actor, params, body, response, request } = write;
  return {
    guid: uuidv7(),
    tenantId: actor.tenantId,
    teamId: teamOf(response) ?? teamOf(params) ?? teamOf(body) ?? actor.keyTeamId ?? null,
    userId: actor.userId,
    userEmail: actor.userEmail,
    keyId: actor.sessionId === undefined ? actor.keyId : null,
    sessionId: actor.sessionId ?? null,
    action,
    targetType: typeOf(action),
    targetId: write.targetId ?? targetOf(write) ?? null,
    method: request.method,
    path: request.path.slice(0, MAX_PATH),
    ip: request.ip?.slice(0, MAX_IP) ?? null,
    userAgent: request.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    requestId: request.id,
    reason: reasonIn(body),
    status: write.status ?? null,
    changes: null,
    createdAt: new Date(),
  };
}

/** Routes check its length. */
function reasonIn(body: unknown): string | null {
  return isJsonObject(body) && typeof body.reason === 'string' ? body.reason : null;
}

function typeOf(action: string): string {
  return action.split('.', 1)[0] ?? action;
}

/** Returns the id of what a write is about to change; undefined without an id in the path. */
export function addressedThing({
  action,
  params,
  targetId,
}: Pick<AuditedWrite, 'action' | 'params' | 'targetId'>):
  | { type: string; id: number; teamId: number | undefined }
  | undefined {
  const id = targetId ?? (isJsonObject(params) ? Object.values(params).findLast(isId) : undefined);
  return id === undefined ? undefined : { type: typeOf(action), id, teamId: teamOf(params) };
}

/** Types whose paths have the id of a story as `id`. */
const OF_STORY = new Set(['story', 'story_version', 'change_request']);

/** Returns the story or the action that a write names; undefined: neither. */
export function namedPlace({ action, params, body, response }: AuditedWrite): TypedThing | undefined {
  const pathId = idIn(params, ['id']);
  const named = [params, body, response].map((each) => idIn(each, ['story_id'])).find(isId);
  const storyId = named ?? (OF_STORY.has(typeOf(action)) ? pathId : undefined);
  if (storyId !== undefined) return { type: 'story', id: storyId };
  // Public clients drop the dead letters of the action in the path.
  const agentId =
    idIn(body, ['agent_id', 'action_id']) ?? (action === 'dead_letter.drop_many' ? pathId : undefined);
  return agentId === undefined ? undefined : { type: 'agent', id: agentId };
}

function targetOf({ action, params, body, response }: AuditedWrite): number | undefined {
  const keys = idKeysOf(typeOf(action));
  const named = idIn(response, keys) ?? idIn(body, keys);
  const addressed = isJsonObject(params) ? Object.values(params).findLast(isId) : undefined;
  return MAKES.test(action) ? (named ?? addressed) : (addressed ?? named);
}

/** Returns the possible names of an object's id: `case_id` (spec §7.1), or `record_id` for a `case_record`. */
function idKeysOf(type: string): string[] {
  const [lastWord = type] = type.split('_').toReversed();
  return [OWN_KEYS[type] ?? 'id', 'case_id', `${lastWord}_id`];
}

function idIn(value: unknown, keys: readonly string[]): number | undefined {
  return isJsonObject(value) ? keys.map((key) => value[key]).find(isId) : undefined;
}

/** Returns `team_id`, or the id of an object `team`. */
function teamOf(value: unknown): number | undefined {
  if (!isJsonObject(value)) return undefined;
  const { team_id: id, team } = value;
  return isId(id) ? id : idIn(team, ['id']);
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
