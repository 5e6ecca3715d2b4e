import Joi from 'joi';
import { component } from '../../api/openapi/component.js';
import { timestamp } from '../../platform/text/timestamp.js';
import type { StoredAuditEntry } from './audit-store.js';

/** Returns an audit entry as the API shows it. */
export function presentAuditEntry(entry: StoredAuditEntry) {
  return {
    id: entry.id,
    created_at: timestamp(entry.createdAt),
    action: entry.action,
    target_type: entry.targetType,
    target_id: entry.targetId,
    team_id: entry.teamId,
    user_id: entry.userId,
    user_email: entry.userEmail,
    key_id: entry.keyId,
    method: entry.method,
    path: entry.path,
    ip: entry.ip,
    user_agent: entry.userAgent,
    request_id: entry.requestId,
  };
}

/** Schema of the result of `presentAuditEntry`. */
export const auditEntrySchema = component(
  'AuditEntry',
  Joi.object({
    id: Joi.number().integer().required(),
    created_at: Joi.string().isoDate().required(),
    action: Joi.string().required().description('Type and verb: `record.update`'),
    target_type: Joi.string().required().description('The type in `action`'),
    target_id: Joi.number()
      .integer()
      .allow(null)
      .required()
      .description('Null if the changed object has no id'),
    team_id: Joi.number().integer().allow(null).required().description('Null if the request names no team'),
    user_id: Joi.number()
      .integer()
      .allow(null)
      .required()
      .description(
        'The acting user; a service account for tenant and team keys; null for a command without a user',
      ),
    user_email: Joi.string().allow(null).required().description('The address at that time'),
    key_id: Joi.number()
      .integer()
      .allow(null)
      .required()
      .description('Null for a command, which needs no key'),
    method: Joi.string().required().description('`CLI` for a command'),
    path: Joi.string().required().description('For a command, its name'),
    ip: Joi.string().allow(null).required().description('The address that the request came from'),
    user_agent: Joi.string().allow(null, '').required().description('The program that sent the request'),
    request_id: Joi.string().required(),
  }),
);
