import { v7 as uuidv7 } from 'uuid';
import type { AuditedWrite } from '../../api/audited-write.js';
import { isJsonObject } from '../../platform/json.js';

/**
 * The tenant of deeds on the instance as a whole, such as changes on the queue board. Tenants have ids from 1 on, so none
 * of them sees those entries.
 */
export const INSTANCE = 0;

/** One write through the API or from the command line, as the audit log keeps it. */
export interface AuditEntry {
  /** Made before the first try to store it: a second try cannot double it. */
  guid: string;
  tenantId: number;
  /** Of what was changed, where path, body or answer tell; null where they do not. */
  teamId: number | null;
  /** Null: a command that acts as nobody. */
  userId: number | null;
  /** As it was then. */
  userEmail: string | null;
  /** Null: a command, which needs no key. */
  keyId: number | null;
  /** `record.update`. */
  action: string;
  /** `record`. */
  targetType: string;
  targetId: number | null;
  /** `CLI` for a command. */
  method: string;
  /** Without the query; of a command, its name without what was given to it. */
  path: string;
  ip: string | null;
  userAgent: string | null;
  requestId: string;
  /** Of the answer, where refused deeds are kept too; null: it succeeded. */
  status: number | null;
  createdAt: Date;
}

/** The columns' sizes. */
const MAX_PATH = 1024;
const MAX_IP = 45;
const MAX_USER_AGENT = 512;
/** A member is known by its user. */
const OWN_KEYS: Record<string, string> = { member: 'user_id' };
/** Writes that make a new thing: it is named by the answer, the path names what it was made in. */
const MAKES = /\.(?:create|import|add)\w*$/;

/** The entry for a write that succeeded. */
export function auditEntry(write: AuditedWrite): AuditEntry {
  const { action, actor, params, body, answer, request } = write;
  return {
    guid: uuidv7(),
    tenantId: actor.tenantId,
    teamId: teamOf(answer) ?? teamOf(params) ?? teamOf(body) ?? actor.keyTeamId ?? null,
    userId: actor.userId,
    userEmail: actor.userEmail,
    keyId: actor.keyId,
    action,
    targetType: typeOf(action),
    targetId: targetOf(write) ?? null,
    method: request.method,
    path: request.path.slice(0, MAX_PATH),
    ip: request.ip?.slice(0, MAX_IP) ?? null,
    userAgent: request.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    requestId: request.id,
    status: write.status ?? null,
    createdAt: new Date(),
  };
}

function typeOf(action: string): string {
  return action.split('.', 1)[0] ?? action;
}

function targetOf({ action, params, body, answer }: AuditedWrite): number | undefined {
  const keys = idKeysOf(typeOf(action));
  const named = idIn(answer, keys) ?? idIn(body, keys);
  const addressed = isJsonObject(params) ? Object.values(params).findLast(isId) : undefined;
  return MAKES.test(action) ? (named ?? addressed) : (addressed ?? named);
}

/** What a thing's id may be called: `case_id` (spec §7.1), or `record_id` for a `case_record`. */
function idKeysOf(type: string): string[] {
  const [lastWord = type] = type.split('_').toReversed();
  return [OWN_KEYS[type] ?? 'id', 'case_id', `${lastWord}_id`];
}

function idIn(value: unknown, keys: readonly string[]): number | undefined {
  return isJsonObject(value) ? keys.map((key) => value[key]).find(isId) : undefined;
}

/** `team_id`, or the id of an object `team`. */
function teamOf(value: unknown): number | undefined {
  if (!isJsonObject(value)) return undefined;
  const { team_id: id, team } = value;
  return isId(id) ? id : idIn(team, ['id']);
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
