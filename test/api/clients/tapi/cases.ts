import type { ClientCall, Ids } from '../../../support/clients.js';
import { lacking } from './lacking.js';

const CASES = '/api/v2/cases';
const PAGE = { per_page: 10, page: 1 };
const CASE = ['case_id', 'name', 'status', 'priority', 'metadata', 'tags', 'actions', 'records'];
const ORDERS = [
  'OPENED_ASC',
  'OPENED_DESC',
  'CREATED_ASC',
  'CREATED_DESC',
  'PRIORITY_ASC',
  'PRIORITY_DESC',
  'RECENTLY_EDITED',
  'LEAST_RECENTLY_EDITED',
];

const ofCase =
  (rest = '') =>
  ({ case: id }: Ids) =>
    `${CASES}/${id}${rest}`;
const update = (label: string, body: object, reads: string[]): ClientCall => ({
  call: `PUT /cases/{id} with ${label}`,
  path: ofCase(),
  body: () => body,
  status: 200,
  reads,
});

const WHOLE: ClientCall[] = [
  {
    call: 'POST /cases',
    path: () => CASES,
    body: ({ team }) => ({
      team_id: team,
      name: 'Made',
      description: 'By Tapi',
      priority: 'LOW',
      status: 'OPEN',
      tag_names: ['a'],
      metadata: { a: '1' },
    }),
    status: 201,
    reads: CASE,
    keeps: { as: 'case', from: 'case_id' },
  },
  {
    call: 'POST /cases to link',
    path: () => CASES,
    body: ({ team }) => ({ team_id: team, name: 'Other', priority: 'LOW', status: 'OPEN' }),
    status: 201,
    keeps: { as: 'other_case', from: 'case_id' },
  },
  { call: 'GET /cases/{id}', path: ofCase(), status: 200, reads: CASE },
  update('name and priority', { name: 'Renamed', priority: 'HIGH' }, ['name']),
  update('description', { description: 'New' }, ['description']),
  update('add_tag_names', { add_tag_names: ['b'] }, ['tags.1']),
  update('remove_tag_names', { remove_tag_names: ['b'] }, ['tags.0']),
  update('opened_at', { opened_at: '2025-01-01T00:00:00Z' }, ['opened_at']),
  update('closure_conditions', { closure_conditions: [] }, ['closure_conditions']),
  {
    ...update('status CLOSE', { status: 'CLOSE' }, ['resolved_at']),
    check: ({ status }) => (status === 'CLOSED' ? [] : [`the status is ${status}`]),
  },
  update('status OPEN', { status: 'OPEN' }, ['status']),
  {
    ...update('sub_status_id', { sub_status_id: 1 }, ['errors.0.message']),
    status: 422,
    not: 'a status has no parts',
  },
  { call: 'GET /cases', path: () => CASES, body: () => PAGE, status: 200, reads: ['cases.0.case_id'] },
  {
    call: 'GET /cases with filters',
    path: () => CASES,
    body: ({ team }) => ({ team_id: team, filters: { status: 'OPEN' }, ...PAGE }),
    status: 200,
    reads: ['cases.0.case_id'],
  },
  ...ORDERS.map((order) => ({
    call: `GET /cases with order ${order}`,
    path: () => CASES,
    body: () => ({ order, ...PAGE }),
    status: 200,
    reads: ['cases.0.case_id'],
  })),
];

const COMMENTS: ClientCall[] = [
  {
    call: 'POST /cases/{id}/comments',
    path: ofCase('/comments'),
    body: () => ({ value: 'Seen', author_email: null }),
    status: 201,
    reads: ['id', 'value'],
    keeps: { as: 'comment', from: 'id' },
  },
  {
    call: 'GET /cases/{id}/comments/{comment_id}',
    path: ({ case: id, comment }) => `${CASES}/${id}/comments/${comment}`,
    status: 200,
    reads: ['value'],
  },
  {
    call: 'PUT /cases/{id}/comments/{comment_id}',
    path: ({ case: id, comment }) => `${CASES}/${id}/comments/${comment}`,
    body: () => ({ value: 'Changed' }),
    status: 200,
    reads: ['value'],
  },
  {
    call: 'GET /cases/{id}/comments',
    path: ofCase('/comments'),
    body: () => PAGE,
    status: 200,
    reads: ['comments.0.id'],
  },
  {
    call: 'GET /cases/{id}/activities',
    path: ofCase('/activities?activity_type=COMMENTED'),
    body: () => PAGE,
    status: 200,
    reads: ['activities.0.activity_type'],
    keeps: { as: 'activity', from: 'activities.0.id' },
  },
  {
    call: 'GET /cases/{id}/activities/{activity_id}',
    path: ({ case: id, activity }) => `${CASES}/${id}/activities/${activity}`,
    status: 200,
    reads: ['id', 'activity_type', 'value', 'user', 'created_at'],
  },
  {
    call: 'DELETE /cases/{id}/comments/{comment_id}',
    path: ({ case: id, comment }) => `${CASES}/${id}/comments/${comment}`,
    status: 204,
  },
];

const ACTIONS: ClientCall[] = [
  {
    call: 'POST /cases/{id}/actions',
    path: ofCase('/actions'),
    body: () => ({ url: 'https://example.com', label: 'Do', action_type: 'page', action_text: 'Open' }),
    status: 201,
    reads: ['id', 'url', 'label', 'action_type', 'action_text'],
    keeps: { as: 'case_action', from: 'id' },
  },
  {
    call: 'PUT /cases/{id}/actions/{action_id}',
    path: ({ case: id, case_action }) => `${CASES}/${id}/actions/${case_action}`,
    body: () => ({ label: 'Do it', action_type: 'webhook' }),
    status: 200,
    reads: ['label'],
  },
  {
    call: 'GET /cases/{id}/actions/{action_id}',
    path: ({ case: id, case_action }) => `${CASES}/${id}/actions/${case_action}`,
    status: 200,
    reads: ['url', 'label', 'action_type', 'action_text'],
  },
  {
    call: 'GET /cases/{id}/actions',
    path: ofCase('/actions'),
    body: () => PAGE,
    status: 200,
    reads: ['actions.0.id'],
  },
  {
    call: 'DELETE /cases/{id}/actions/{action_id}',
    path: ({ case: id, case_action }) => `${CASES}/${id}/actions/${case_action}`,
    status: 204,
  },
  {
    call: 'PUT /cases/{id}/actions/batch',
    path: ofCase('/actions/batch'),
    body: () => ({
      actions: [
        { url: 'https://example.com', label: 'Complete', action_type: 'page', action_text: 'Open' },
        {
          url: 'https://example.com/webhook/abc',
          label: 'Claim',
          action_type: 'webhook',
          action_text: 'Run',
        },
      ],
    }),
    status: 200,
    reads: ['case_id', 'actions.1.label', 'actions.1.action_text'],
  },
];

const METADATA: ClientCall[] = [
  {
    call: 'POST /cases/{id}/metadata',
    path: ofCase('/metadata'),
    body: () => ({ metadata: { b: '2' } }),
    status: 201,
    reads: ['metadata'],
  },
  {
    call: 'PUT /cases/{id}/metadata',
    path: ofCase('/metadata'),
    body: () => ({ metadata: { b: '3' } }),
    status: 200,
    reads: ['metadata'],
  },
  {
    call: 'GET /cases/{id}/metadata/{key}',
    path: ofCase('/metadata/b'),
    status: 200,
    reads: ['metadata.b'],
  },
  { call: 'GET /cases/{id}/metadata', path: ofCase('/metadata'), status: 200, reads: ['metadata'] },
  {
    call: 'DELETE /cases/{id}/metadata',
    path: ofCase('/metadata'),
    body: () => ({ metadata: ['b'] }),
    status: 204,
  },
];

const OTHERS: ClientCall[] = [
  {
    call: 'POST /cases/{id}/records',
    path: ofCase('/records'),
    body: ({ record }) => ({ record_id: record }),
    status: 201,
    reads: ['record.id', 'record.record_type.name'],
  },
  { call: 'GET /cases/{id}/records', path: ofCase('/records?per_page=10&page=1'), status: 200 },
  {
    call: 'GET /cases/{id}/records/{record_id}',
    path: ({ case: id, record }) => `${CASES}/${id}/records/${record}`,
    status: 200,
    reads: ['record.id', 'record.record_type.id', 'record.record_type.name'],
  },
  {
    call: 'DELETE /cases/{id}/records/{record_id}',
    path: ({ case: id, record }) => `${CASES}/${id}/records/${record}`,
    status: 204,
  },
  {
    call: 'POST /cases/{id}/linked_cases',
    path: ofCase('/linked_cases'),
    body: ({ other_case }) => ({ id: other_case }),
    status: 201,
  },
  {
    call: 'GET /cases/{id}/linked_cases',
    path: ofCase('/linked_cases?per_page=10&page=1'),
    status: 200,
    reads: ['linked_cases.0.case_id', 'meta.count'],
  },
  {
    call: 'DELETE /cases/{id}/linked_cases/{linked_case_id}',
    path: ({ case: id, other_case }) => `${CASES}/${id}/linked_cases/${other_case}`,
    status: 204,
  },
  {
    call: 'POST /cases/{id}/linked_cases/batch',
    path: ofCase('/linked_cases/batch'),
    body: ({ other_case }) => ({ ids: [other_case] }),
    status: 201,
    reads: ['case_id', 'name', 'linked_cases.0.case_id'],
  },
  { call: 'GET /cases/{id}/assignees', path: ofCase('/assignees'), status: 200, reads: ['assignees'] },
  {
    call: 'GET /cases/{id}/subscribers',
    path: ofCase('/subscribers?per_page=10&page=1'),
    status: 200,
    reads: ['subscribers'],
  },
  {
    call: 'POST /cases/{id}/subscribers',
    path: ofCase('/subscribers'),
    body: ({ email }) => ({ user_email: email }),
    status: 201,
    reads: ['id'],
    keeps: { as: 'subscriber', from: 'id' },
  },
  {
    call: 'DELETE /cases/{id}/subscribers/{subscriber_id}',
    path: ({ case: id, subscriber }) => `${CASES}/${id}/subscribers/${subscriber}`,
    status: 204,
  },
  {
    call: 'POST /cases/{id}/subscribers/batch',
    path: ofCase('/subscribers/batch'),
    body: ({ email }) => ({ user_emails: [email] }),
    status: 201,
    reads: ['case_id', 'subscribers.0.id', 'subscribers.0.user.email'],
  },
];

/** Cases and their parts; after the records. */
export const CASE_CALLS: readonly ClientCall[] = [
  ...WHOLE,
  ...COMMENTS,
  ...ACTIONS,
  ...METADATA,
  ...OTHERS,
  ...lacking('/api/v2', [
    'GET /cases/{id}/pdf',
    'POST /cases/{id}/blocks',
    'GET /cases/{id}/blocks',
    'GET /cases/{id}/blocks/{block_id}',
    'PUT /cases/{id}/blocks/{block_id}',
    'DELETE /cases/{id}/blocks/{block_id}',
    'GET /cases/{id}/blocks/{block_id}/elements/{element_id}',
    'PUT /cases/{id}/blocks/{block_id}/elements/{element_id}',
    'POST /cases/{id}/comments/{comment_id}/reactions',
    'DELETE /cases/{id}/comments/{comment_id}/reactions',
    'POST /cases/{id}/fields',
    'GET /cases/{id}/fields',
    'GET /cases/{id}/fields/{field_id}',
    'PUT /cases/{id}/fields/{field_id}',
    'DELETE /cases/{id}/fields/{field_id}',
    'POST /cases/{id}/files',
    'GET /cases/{id}/files',
    'GET /cases/{id}/files/{file_id}',
    'GET /cases/{id}/files/{file_id}/download',
    'DELETE /cases/{id}/files/{file_id}',
    'POST /cases/{id}/notes',
    'GET /cases/{id}/notes',
    'GET /cases/{id}/notes/{note_id}',
    'PUT /cases/{id}/notes/{note_id}',
    'DELETE /cases/{id}/notes/{note_id}',
  ]),
  ...lacking('/api/v1', [
    'POST /case_inputs',
    'GET /case_inputs',
    'GET /case_inputs/{id}',
    'GET /case_inputs/{id}/fields',
  ]),
  { call: 'DELETE /cases/{id}', path: ofCase(), status: 204 },
];
