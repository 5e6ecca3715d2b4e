import Joi from 'joi';
import {
  type AnyRoute,
  cursorKey,
  defineRoute,
  pageKeys,
  pageMeta,
  pageMetaSchema,
  type PageQuery,
  windowOf,
} from '../../api/face.js';
import { timeField } from '../../platform/http/time-field.js';
import { auditEntrySchema, presentAuditEntry } from './audit-presenter.js';
import type { AuditService } from './audit-service.js';
import { actionsOfOperation } from './operation-names.js';

interface Services {
  audit: Pick<AuditService, 'list'>;
}

interface ListQuery extends PageQuery {
  user_id?: number[];
  action?: string[];
  operation_name?: string[];
  target_type?: string;
  target_id?: number;
  team_id?: number;
  from?: Date;
  after?: Date;
  to?: Date;
  before?: Date;
}

const PATH = '/api/v1/audit_logs';
const id = Joi.number().integer().positive();
const word = Joi.string().max(64);
const listOf = (item: Joi.Schema) => Joi.array().items(item).single().max(50);

/** An action, or a name that public clients know for it. */
const operation = word
  .custom((name: string, helpers) =>
    actionsOfOperation(name) === undefined ? helpers.error('operation.unknown') : name,
  )
  .messages({
    'operation.unknown':
      '{{#label}} is not a known operation: {{#value}}. Use the names in entries (`story.create`) or those of the platform (`StoryCreation`)',
  });

const listQuery = Joi.object<ListQuery>({
  user_id: listOf(id).description('The acting user, or a list of users'),
  action: listOf(word).description('Type and verb: `record.update`, or a list of them'),
  operation_name: listOf(operation).description(
    'Same as `action`; also accepts platform names, such as `StoryCreation` for `story.create`',
  ),
  target_type: word.description('Type of the changed object: `record`'),
  target_id: id.description('Id of the changed object; most useful with `target_type`'),
  team_id: id,
  from: timeField.description('Entries from this time on (ISO 8601; UTC without an offset)'),
  after: timeField.description('Same as `from`'),
  to: timeField.description('Entries before this time'),
  before: timeField.description('Same as `to`'),
  ...pageKeys,
  ...cursorKey('time'),
})
  .oxor('action', 'operation_name')
  .oxor('from', 'after')
  .oxor('to', 'before');

const example = {
  query: { target_type: 'story', from: '2026-11-01T00:00:00Z', per_page: 1 },
  response: {
    audit_logs: [
      {
        id: 4711,
        created_at: '2026-11-21T09:30:12Z',
        updated_at: '2026-11-21T09:30:12Z',
        action: 'story.import',
        operation_name: 'story.import',
        target_type: 'story',
        target_id: 12,
        target_name: 'Alert triage',
        story_id: 12,
        team_id: 3,
        tenant_id: 1,
        user_id: 5,
        user_email: 'ada@example.com',
        user_name: 'Ada Lovelace',
        key_id: 8,
        method: 'POST',
        source: 'API',
        path: '/api/v1/stories/import',
        ip: '192.0.2.17',
        request_ip: '192.0.2.17',
        user_agent: 'curl/8.5.0',
        request_user_agent: 'curl/8.5.0',
        request_id: '0b8f4c5e-57a4-4a57-9a2c-0a4b7b3f5a11',
        reason: null,
        changes: null,
        inputs: null,
        outputs: null,
      },
    ],
    meta: {
      current_page: `https://fabula.example.com${PATH}?target_type=story&per_page=1&page=1`,
      previous_page: null,
      next_page: `https://fabula.example.com${PATH}?target_type=story&per_page=1&page=2&cursor=1795253412000-4711`,
      next_page_number: 2,
      per_page: 1,
      pages: 2,
      count: 2,
    },
  },
};

/** Endpoints of the audit log (spec §2.8). */
export const auditRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, ListQuery, unknown, Services>({
    method: 'get',
    path: PATH,
    summary: 'List audit log entries, newest first',
    query: listQuery,
    docs: {
      tag: 'Audit log',
      description:
        'Every successful write through the API, console or command line, with user, time and address. For Owners of the tenant.',
      response: Joi.object({
        audit_logs: Joi.array().items(auditEntrySchema).required().description('Items of the page'),
        meta: pageMetaSchema.required(),
      }),
      example,
      errors: [403, 422],
    },
    async handle({ actor, query, request }, { audit }) {
      const filter = {
        userIds: query.user_id,
        actions: query.action ?? query.operation_name?.flatMap((name) => actionsOfOperation(name) ?? []),
        targetType: query.target_type,
        targetId: query.target_id,
        teamId: query.team_id,
        from: query.from ?? query.after,
        to: query.to ?? query.before,
      };
      const page = await audit.list(actor, filter, windowOf(query));
      return {
        audit_logs: page.items.map((entry) => presentAuditEntry(entry, query.operation_name)),
        meta: pageMeta(request, query, page),
      };
    },
  }),
];
