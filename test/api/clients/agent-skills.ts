import { bearer, type Client } from '../../support/clients.js';

const CASES = '/api/v1/cases';

/** Reads pages by `meta.next_page_number`, and knows cases by their older path. */
export const agentSkills: Client = {
  name: 'tines-agent-skills',
  headers: bearer,
  calls: [
    {
      call: 'GET /info',
      status: 200,
      reads: ['stack.name', 'stack.type', 'stack.region', 'stack.egress_ips'],
    },
    { call: 'GET /teams', status: 200, reads: ['teams.0.id', 'teams.0.name', 'meta.next_page_number'] },
    { call: 'GET /admin/users', status: 200, reads: ['admin/users.0.id', 'meta.pages'] },
    { call: 'GET /admin/templates', status: 200, reads: ['meta.next_page_number'] },
    { call: 'GET /audit_logs', path: () => '/audit_logs?per_page=5', status: 200, reads: ['meta.count'] },
    {
      call: 'POST /folders',
      body: ({ team }) => ({ name: 'Skills', team_id: team, content_type: 'STORY' }),
      status: 201,
      reads: ['id', 'content_type'],
      keeps: { as: 'folder', from: 'id' },
    },
    {
      call: 'POST /folders without team_id',
      path: () => '/folders',
      body: () => ({ name: 'Skills 2', content_type: 'STORY' }),
      status: 201,
      not: 'it expects a refusal; the folder is made in the first team of the key',
    },
    { call: 'DELETE /folders/{id}', path: ({ folder }) => `/folders/${folder}`, status: 204 },
    {
      call: 'POST /record_types',
      body: ({ team }) => ({
        name: 'Skill records',
        team_id: team,
        editable: true,
        fields: [{ name: 'Subject', result_type: 'TEXT' }],
      }),
      status: 201,
      reads: ['id', 'editable'],
      keeps: { as: 'type', from: 'id' },
    },
    {
      call: 'POST /records',
      body: ({ type }) => ({ record_type_id: type, field_values: [] }),
      status: 201,
      reads: ['id'],
      keeps: { as: 'record', from: 'id' },
    },
    {
      call: 'POST /cases',
      body: ({ team }) => ({ team_id: team, name: 'From skills' }),
      status: 201,
      reads: ['case_id', 'name'],
      keeps: { as: 'case', from: 'case_id' },
    },
    { call: 'GET /cases', status: 200, reads: ['cases.0.case_id', 'meta.count'] },
    { call: 'GET /cases/{id}', path: ({ case: id }) => `${CASES}/${id}`, status: 200, reads: ['case_id'] },
    {
      call: 'PATCH /cases/{id}',
      path: ({ case: id }) => `${CASES}/${id}`,
      body: () => ({ status: 'closed' }),
      status: 200,
      reads: ['status'],
    },
    {
      call: 'POST /cases/{id}/comments',
      path: ({ case: id }) => `${CASES}/${id}/comments`,
      body: () => ({ value: 'Seen' }),
      status: 201,
      reads: ['id'],
    },
    {
      call: 'POST /cases/{id}/metadata',
      path: ({ case: id }) => `${CASES}/${id}/metadata`,
      body: () => ({ metadata: { a: 1 } }),
      status: 201,
    },
    {
      call: 'POST /cases/{id}/records',
      path: ({ case: id }) => `${CASES}/${id}/records`,
      body: ({ record }) => ({ record_id: record }),
      status: 201,
    },
    {
      call: 'GET /cases/{id}/linked_cases',
      path: ({ case: id }) => `${CASES}/${id}/linked_cases`,
      status: 200,
      reads: ['meta.count'],
    },
    {
      call: 'GET /cases/{id}/subscribers',
      path: ({ case: id }) => `${CASES}/${id}/subscribers`,
      status: 200,
    },
    { call: 'DELETE /cases/{id}', path: ({ case: id }) => `${CASES}/${id}`, status: 204 },
  ],
};
