import Joi from 'joi';
import { component } from '../../api/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
import type { StoredAuditEntry } from './audit-store.js';
import { operationNameOf } from './operation-names.js';

/** Returns the story that an entry is about: its target, or the story in its path. Null for any other entry. */
function storyOf({ targetType, targetId, path }: StoredAuditEntry): number | null {
  if (targetType === 'story') return targetId;
  const [, inPath] = /\/stories\/(\d+)\//.exec(path) ?? [];
  return inPath === undefined ? null : Number(inPath);
}

/** Returns where a change came from. */
function sourceOf({ method, sessionId }: StoredAuditEntry): string {
  if (['CLI', 'SYSTEM'].includes(method)) return method;
  return sessionId === null ? 'API' : 'CONSOLE';
}

/**
 * Returns an audit entry as the API shows it. What public clients read under another name stands under both. `operations`
 * are the names of operations that were asked for.
 */
export function presentAuditEntry(entry: StoredAuditEntry, operations?: readonly string[]) {
  return {
    id: entry.id,
    created_at: timestamp(entry.createdAt),
    updated_at: timestamp(entry.createdAt),
    action: entry.action,
    operation_name: operationNameOf(entry.action, operations),
    target_type: entry.targetType,
    target_id: entry.targetId,
    target_name: entry.target?.name ?? null,
    story_id: storyOf(entry) ?? entry.target?.storyId ?? null,
    team_id: entry.teamId,
    tenant_id: entry.tenantId,
    user_id: entry.userId,
    user_email: entry.userEmail,
    user_name: entry.userName,
    key_id: entry.keyId,
    method: entry.method,
    source: sourceOf(entry),
    path: entry.path,
    ip: entry.ip,
    request_ip: entry.ip,
    user_agent: entry.userAgent,
    request_user_agent: entry.userAgent,
    request_id: entry.requestId,
    reason: entry.reason,
    changes: entry.changes,
    inputs: null,
    outputs: null,
  };
}

const auditedValue = Joi.alternatives(Joi.boolean(), Joi.number(), Joi.string().allow(''))
  .allow(null)
  .required();

/** Schema of the result of `presentAuditEntry`. */
export const auditEntrySchema = component(
  'AuditEntry',
  Joi.object({
    id: Joi.number().integer().required(),
    created_at: Joi.string().isoDate().required(),
    updated_at: Joi.string().isoDate().required().description('Same as `created_at`; entries never change'),
    action: Joi.string().required().description('Type and verb: `record.update`'),
    operation_name: Joi.string()
      .required()
      .description('Same as `action`, or the requested platform name for it'),
    target_type: Joi.string().required().description('The type in `action`'),
    target_id: Joi.number()
      .integer()
      .allow(null)
      .required()
      .description('null if the changed object has no id'),
    target_name: Joi.string()
      .allow(null, '')
      .required()
      .description('Current name of the changed object; null if it is deleted or its type has no names'),
    story_id: Joi.number()
      .integer()
      .allow(null)
      .required()
      .description('The changed story, or the story of the changed part; null if none'),
    team_id: Joi.number().integer().allow(null).required().description('null if the request has no team'),
    tenant_id: Joi.number().integer().required().description('The tenant of the key'),
    user_id: Joi.number()
      .integer()
      .allow(null)
      .required()
      .description(
        'The acting user, or the service account of a tenant or team key; null for commands without a user',
      ),
    user_email: Joi.string().allow(null).required().description('Email address at that time'),
    user_name: Joi.string().allow(null).required().description('Current name; null if none'),
    key_id: Joi.number()
      .integer()
      .allow(null)
      .required()
      .description('null for commands and the console, which use no key'),
    method: Joi.string()
      .required()
      .description('`CLI` for commands, `SYSTEM` for notices that could not be sent'),
    source: Joi.string()
      .valid('API', 'CLI', 'CONSOLE', 'SYSTEM')
      .required()
      .description('API request, command, console user or system'),
    path: Joi.string().required().description('Name of the command, for commands'),
    ip: Joi.string().allow(null).required().description('IP address of the request'),
    request_ip: Joi.string().allow(null).required().description('Same as `ip`'),
    user_agent: Joi.string().allow(null, '').required().description('User agent of the request'),
    request_user_agent: Joi.string().allow(null, '').required().description('Same as `user_agent`'),
    request_id: Joi.string().required(),
    reason: Joi.string().allow(null).required().description('Reason given in the request, if any'),
    changes: Joi.array()
      .items(
        Joi.object({
          field: Joi.string().required().description('Name of the field'),
          before: auditedValue.description('Value before the change; null if absent or hidden'),
          after: auditedValue.description('Value after the change; null if absent or hidden'),
          hidden: Joi.boolean()
            .required()
            .description('Whether the values are not stored, because they can be secrets'),
        }),
      )
      .allow(null)
      .required()
      .description(
        'The changed fields; for a deleted object, its last values. null if not recorded, such as for creations, contents of stories and commands',
      ),
    inputs: Joi.valid(null).required().description('Always null; bodies are not stored'),
    outputs: Joi.valid(null).required().description('Always null; responses are not stored'),
  }),
);
