import { bearer, type Client } from '../../support/clients.js';
import { smallExport } from '../../support/stories.js';

/** Copies a tenant: lists all, and makes it again with paths that end with a slash. */
export const lightning: Client = {
  name: 'tines-api-scripts',
  headers: bearer,
  calls: [
    { call: 'GET /teams', status: 200, reads: ['teams.0.id', 'meta.next_page'] },
    {
      call: 'GET /teams/{id}/members',
      path: ({ team }) => `/teams/${team}/members`,
      status: 200,
      reads: ['members.0.id', 'members.0.email'],
    },
    { call: 'GET /admin/users', status: 200, reads: ['admin/users.0.id', 'admin/users.0.email'] },
    {
      call: 'POST /folders/',
      body: ({ team }) => ({ name: 'Copied', content_type: 'STORY', team_id: team }),
      status: 201,
      reads: ['id'],
      keeps: { as: 'folder', from: 'id' },
    },
    { call: 'GET /folders', status: 200, reads: ['folders.0.id', 'folders.0.content_type'] },
    {
      call: 'POST /stories/import/',
      body: ({ team, folder }) => ({
        new_name: 'Copied',
        data: smallExport(),
        team_id: team,
        folder_id: folder,
        mode: 'new',
      }),
      status: 200,
      reads: ['id'],
      keeps: { as: 'story', from: 'id' },
    },
    { call: 'GET /stories', status: 200, needsObject: true, reads: ['stories.0.id', 'meta.next_page'] },
    {
      call: 'POST /global_resources/',
      body: ({ team }) => ({
        name: 'copied',
        value: 'x',
        description: '',
        read_access: 'TEAM',
        team_id: team,
      }),
      status: 201,
      reads: ['id'],
    },
    { call: 'GET /global_resources', status: 200, reads: ['global_resources.0.id'] },
    {
      call: 'POST /user_credentials/',
      body: ({ team }) => ({ name: 'copied', mode: 'TEXT', value: 'x', team_id: team }),
      status: 201,
      reads: ['id'],
    },
    { call: 'GET /user_credentials', status: 200, reads: ['user_credentials.0.id'] },
    {
      call: 'POST /admin/users',
      body: () => ({ email: 'copied@example.com', first_name: 'Co', last_name: 'Pied' }),
      status: 201,
      reads: ['id'],
      keeps: { as: 'user', from: 'id' },
    },
    {
      call: 'POST /teams/{id}/invite_member',
      path: ({ team }) => `/teams/${team}/invite_member`,
      body: ({ user }) => ({ user_id: user }),
      status: 200,
      reads: ['id'],
    },
    { call: 'DELETE /stories/batch', body: ({ story }) => ({ ids: [story] }), status: 204 },
  ],
};
