import { otherThan } from '../../../support/go-types.js';
import type { ClientCall } from '../../../support/clients.js';
import { lacking } from './lacking.js';

const PAGE = { per_page: 10, page: 1 };

const TEAMS: ClientCall[] = [
  { call: 'GET /info', status: 200, reads: ['stack.name', 'stack.type', 'stack.region'] },
  { call: 'GET /info/worker_stats', status: 200, reads: ['current_workers', 'queue_latency'] },
  {
    call: 'GET /teams',
    body: () => ({ include_personal_teams: false, ...PAGE }),
    status: 200,
    reads: ['teams.0.groups', 'meta.count'],
  },
  {
    call: 'GET /teams with a Python boolean',
    path: () => '/teams?include_personal_teams=False',
    status: 200,
    reads: ['teams.0.name'],
  },
  {
    call: 'POST /teams',
    body: () => ({ name: 'Made' }),
    status: 201,
    reads: ['id', 'name', 'groups'],
    keeps: { as: 'made_team', from: 'id' },
  },
  { call: 'GET /teams/{id}', path: ({ made_team }) => `/teams/${made_team}`, status: 200, reads: ['groups'] },
  {
    call: 'PUT /teams/{id}',
    path: ({ made_team }) => `/teams/${made_team}`,
    body: () => ({ name: 'Renamed' }),
    status: 200,
    reads: ['name'],
  },
  {
    call: 'POST /teams/{id}/invite_member',
    path: ({ team }) => `/teams/${team}/invite_member`,
    body: ({ person }) => ({ user_id: person, role: 'VIEWER' }),
    status: 200,
    reads: ['id', 'role'],
  },
  {
    call: 'GET /teams/{id}/members',
    path: ({ team }) => `/teams/${team}/members`,
    body: () => PAGE,
    status: 200,
    reads: ['members.0.id', 'members.0.is_admin', 'members.0.invitation_accepted', 'members.0.role'],
  },
  {
    call: 'POST /teams/{id}/resend_invitation',
    path: ({ team }) => `/teams/${team}/resend_invitation`,
    body: ({ person }) => ({ user_id: person }),
    status: 200,
    reads: ['id', 'email', 'invitation_accepted'],
  },
  {
    call: 'POST /teams/{id}/remove_member',
    path: ({ team }) => `/teams/${team}/remove_member`,
    body: ({ person }) => ({ user_id: person }),
    status: 200,
    reads: ['deleted_id'],
  },
  {
    call: 'POST /teams/{id}/invite_member by email',
    path: ({ team }) => `/teams/${team}/invite_member`,
    body: ({ email }) => ({ email, role: 'EDITOR' }),
    status: 200,
    reads: ['id'],
  },
  { call: 'DELETE /teams/{id}', path: ({ made_team }) => `/teams/${made_team}`, status: 204 },
];

const FOLDERS: ClientCall[] = [
  ...['CREDENTIAL', 'RESOURCE', 'STORY'].map((type) => ({
    call: `POST /folders for ${type}`,
    path: () => '/folders',
    body: ({ team }: Record<string, number | string>) => ({
      name: `F ${type}`,
      content_type: type,
      team_id: team,
    }),
    status: 201,
    reads: ['id', 'content_type', 'size'],
    keeps: { as: `folder_${type}`, from: 'id' },
  })),
  {
    call: 'GET /folders',
    path: ({ team }) => `/folders?team_id=${team}&per_page=10&page=1`,
    status: 200,
    reads: ['folders.0.id'],
  },
  {
    call: 'GET /folders by content_type',
    path: () => '/folders?content_type=STORY&per_page=10&page=1',
    status: 200,
    reads: ['folders.0.content_type'],
  },
  {
    call: 'GET /folders/{id}',
    path: ({ folder_STORY }) => `/folders/${folder_STORY}`,
    status: 200,
    reads: ['name'],
  },
  {
    call: 'PUT /folders/{id}',
    path: ({ folder_STORY }) => `/folders/${folder_STORY}`,
    body: () => ({ name: 'New' }),
    status: 200,
    reads: ['name'],
  },
  { call: 'DELETE /folders/{id}', path: ({ folder_STORY }) => `/folders/${folder_STORY}`, status: 204 },
];

const RECORDS: ClientCall[] = [
  {
    call: 'POST /record_types',
    body: ({ team }) => ({
      name: 'Tapi type',
      team_id: team,
      fields: [{ name: 'Subject', result_type: 'TEXT' }],
      editable: true,
    }),
    status: 201,
    reads: ['id', 'record_fields.0.id'],
    keeps: { as: 'type', from: 'id' },
  },
  {
    call: 'POST /record_types with ttl_days',
    path: () => '/record_types',
    body: ({ team }) => ({ name: 'Tapi short', team_id: team, ttl_days: 5 }),
    status: 422,
    not: 'records are kept until they are deleted',
  },
  {
    call: 'GET /record_types/{id}',
    path: ({ type }) => `/record_types/${type}`,
    status: 200,
    reads: ['record_fields.0.id'],
    keeps: { as: 'field', from: 'record_fields.0.id' },
  },
  {
    call: 'GET /record_types',
    path: ({ team }) => `/record_types?team_id=${team}&per_page=10&page=1`,
    status: 200,
    reads: ['record_types.0.id'],
  },
  {
    call: 'POST /records',
    body: ({ type, field }) => ({
      record_type_id: type,
      field_values: [{ field_id: String(field), value: 'x' }],
      case_ids: [],
      test_mode: false,
    }),
    status: 201,
    reads: ['id'],
    keeps: { as: 'record', from: 'id' },
  },
  { call: 'GET /records/{id}', path: ({ record }) => `/records/${record}`, status: 200, reads: ['id'] },
  {
    call: 'PUT /records/{id}',
    path: ({ record }) => `/records/${record}`,
    body: ({ field }) => ({ field_values: [{ field_id: field, value: 'y' }] }),
    status: 200,
    reads: ['id'],
  },
  {
    call: 'PUT /records/{id} with its lists',
    path: ({ record }) => `/records/${record}`,
    body: () => ({
      add_child_records: [],
      remove_child_records: [],
      add_team_case_ids: [],
      remove_team_case_ids: [],
    }),
    status: 200,
    reads: ['id'],
  },
  {
    call: 'PUT /records/{id} with a case',
    path: ({ record }) => `/records/${record}`,
    body: () => ({ add_team_case_ids: [1] }),
    status: 422,
    not: 'records are attached by POST /cases/{id}/records',
  },
  {
    call: 'GET /records',
    path: ({ type }) =>
      `/records?record_type_id=${type}&order_direction=DESC&test_mode=False&per_page=10&page=1`,
    status: 200,
    reads: ['record_results.0.id', 'meta.count'],
  },
  {
    call: 'GET /records with record_field_ids',
    path: ({ field }) => `/records?record_field_ids=${field}&order_direction=DESC&per_page=10&page=1`,
    status: 200,
    reads: ['record_results'],
  },
];

const ADMIN: ClientCall[] = [
  {
    call: 'POST /admin/users',
    body: () => ({ email: 'alice@example.com', first_name: 'Alice', last_name: 'Smith', admin: false }),
    status: 201,
    reads: ['id', 'email', 'first_name', 'last_name', 'admin'],
    keeps: { as: 'user', from: 'id' },
  },
  {
    call: 'GET /admin/users/{id}',
    path: ({ user }) => `/admin/users/${user}`,
    status: 200,
    reads: ['admin'],
  },
  {
    call: 'PUT /admin/users/{id}',
    path: ({ user }) => `/admin/users/${user}`,
    body: () => ({ first_name: '' }),
    status: 200,
    reads: ['first_name'],
  },
  { call: 'GET /admin/users', status: 200, reads: ['admin/users.0.id'] },
  {
    call: 'GET /admin/users with team_memberships',
    path: () => '/admin/users',
    body: () => ({ filter: 'TENANT_OWNER', include: 'team_memberships' }),
    status: 200,
    reads: ['admin/users.0.team_memberships'],
  },
  {
    call: 'GET /admin/users/{id}/signin_activities',
    path: ({ user }) => `/admin/users/${user}/signin_activities?per_page=10&page=1`,
    status: 200,
    reads: ['admin/login_activities', 'meta.count'],
  },
  {
    call: 'POST /admin/users/{id}/expire_session',
    path: ({ user }) => `/admin/users/${user}/expire_session`,
    status: 200,
  },
  { call: 'DELETE /admin/users/{id}', path: ({ user }) => `/admin/users/${user}`, status: 204 },
  {
    call: 'GET /admin/dead_jobs',
    path: () => '/admin/dead_jobs?per_page=10&page=1',
    status: 200,
    reads: ['admin/dead_jobs', 'meta.count'],
  },
  { call: 'DELETE /admin/delete_all_dead_jobs', status: 200 },
  {
    call: 'DELETE /admin/actions/{id}/delete_all_dead_jobs',
    path: ({ webhook }) => `/admin/actions/${webhook}/delete_all_dead_jobs`,
    status: 200,
  },
  {
    call: 'GET /audit_logs',
    path: () => '/audit_logs?per_page=10&page=1',
    status: 200,
    reads: ['audit_logs.0.operation_name', 'audit_logs.0.user_email', 'audit_logs.0.created_at'],
  },
  {
    call: 'GET /audit_logs with operation_name',
    path: () => '/audit_logs?operation_name=FolderCreation&operation_name=TeamCreation&per_page=10&page=1',
    status: 200,
    reads: ['audit_logs.0.id'],
    check: (response) => otherThan(response.audit_logs[0], { operation_name: 'FolderCreation' }),
  },
  {
    call: 'GET /audit_logs with after and before',
    path: () => '/audit_logs?after=2020-01-01T00%3A00%3A00Z&before=2100-01-01T00%3A00%3A00Z',
    status: 200,
    reads: ['audit_logs.0.id'],
  },
];

const template = {
  name: 'Tapi template',
  description: 'test',
  vendor: 'API',
  product: 'API',
  agent_type: 'Agents::EventTransformationAgent',
  agent_options: { mode: 'extract', matchers: [{ path: '{{.text}}', regexp: '\\b\\w+', to: 'words' }] },
};
const TEMPLATE_KEYS = ['id', 'name', 'description', 'agent_type', 'agent_options', 'vendor', 'product'];

const TEMPLATES: ClientCall[] = [
  {
    call: 'POST /admin/templates',
    body: () => template,
    status: 201,
    reads: TEMPLATE_KEYS,
    keeps: { as: 'template', from: 'id' },
  },
  {
    call: 'GET /admin/templates',
    body: () => ({ per_page: 10, page: 1 }),
    status: 200,
    check: (response) => (response['admin/templates']?.[0]?.id === undefined ? ['no templates'] : []),
  },
  {
    call: 'GET /admin/templates/{id}',
    path: ({ template: id }) => `/admin/templates/${id}`,
    status: 200,
    reads: TEMPLATE_KEYS,
  },
  {
    call: 'PUT /admin/templates/{id}',
    path: ({ template: id }) => `/admin/templates/${id}`,
    body: () => ({ ...template, name: 'Renamed' }),
    status: 200,
    reads: TEMPLATE_KEYS,
  },
  {
    call: 'DELETE /admin/templates/{id}',
    path: ({ template: id }) => `/admin/templates/${id}`,
    status: 204,
  },
];

/** The tenant, its people, folders and records. */
export const TENANT_CALLS: readonly ClientCall[] = [
  ...TEAMS,
  ...FOLDERS,
  ...RECORDS,
  ...ADMIN,
  ...TEMPLATES,
  ...lacking('/api/v1', [
    'GET /info/web_stats',
    'GET /ai_usage',
    'GET /reporting/action_performance',
    'GET /reporting/time_saved',
    'GET /records/{id}/artifacts/{artifact_id}',
    'POST /admin/users/{id}/resend_invitation',
    'GET /admin/ip_access_control_rules',
    'POST /admin/ip_access_control_rules',
    'GET /admin/ip_access_control_rules/{id}',
    'PUT /admin/ip_access_control_rules/{id}',
    'DELETE /admin/ip_access_control_rules/{id}',
    'GET /admin/action_egress_control_rules',
    'POST /admin/action_egress_control_rules',
    'GET /admin/action_egress_control_rules/{id}',
    'PUT /admin/action_egress_control_rules/{id}',
    'DELETE /admin/action_egress_control_rules/{id}',
    'GET /admin/in_progress_jobs',
    'GET /admin/queued_jobs',
    'GET /admin/retry_jobs',
    'DELETE /admin/delete_all_queued_jobs',
    'DELETE /admin/delete_all_retry_jobs',
    'POST /admin/scim_user_group_mapping',
    'PUT /admin/custom_certificate_authority',
    'GET /admin/tunnel/{name}/health',
  ]),
];

/** After all others: what they used. */
export const LAST_CALLS: readonly ClientCall[] = [
  { call: 'DELETE /records/{id}', path: ({ record }) => `/records/${record}`, status: 204 },
  { call: 'DELETE /record_types/{id}', path: ({ type }) => `/record_types/${type}`, status: 204 },
];
