import { bearer, type Client, userToken } from '../../support/clients.js';

/** Keeps teams, folders and resources as they are declared. */
export const veltrix: Client = {
  name: 'Veltrix',
  headers: bearer,
  calls: [
    { call: 'GET /teams', status: 200, reads: ['teams.0.id'] },
    {
      call: 'POST /folders',
      body: ({ team }) => ({ name: 'Outer', content_type: 'STORY', team_id: team }),
      status: 201,
      reads: ['id'],
      keeps: { as: 'folder', from: 'id' },
    },
    {
      call: 'POST /folders with a parent',
      path: () => '/folders',
      body: ({ team, folder }) => ({
        name: 'Inner',
        content_type: 'STORY',
        team_id: team,
        parent_folder_id: folder,
      }),
      status: 201,
      reads: ['parent_folder_id'],
    },
    {
      call: 'PUT /stories/{id}',
      path: ({ story }) => `/stories/${story}`,
      body: ({ folder }) => ({ folder_id: folder, name: 'Kept' }),
      status: 200,
      reads: ['id'],
    },
    {
      call: 'POST /teams/{id}/invite_member',
      path: ({ team }) => `/teams/${team}/invite_member`,
      body: ({ person }) => ({ user_id: person, role: 'EDITOR' }),
      status: 200,
      reads: ['id'],
    },
    {
      call: 'POST /teams/{id}/remove_member',
      path: ({ team }) => `/teams/${team}/remove_member`,
      body: ({ person }) => ({ user_id: person }),
      status: 200,
      reads: ['deleted_id'],
    },
    {
      call: 'GET /tags',
      path: ({ team }) => `/tags?team_id=${team}&per_page=100&page=1`,
      status: 200,
      reads: ['tags', 'meta.next_page_number'],
    },
    {
      call: 'POST /tags',
      body: ({ team }) => ({ name: 'kept', team_id: String(team), color: 'red' }),
      status: 201,
      reads: ['id', 'name', 'color', 'teams.0.id'],
      keeps: { as: 'tag', from: 'id' },
    },
    {
      call: 'PUT /tags/{id}',
      path: ({ tag }) => `/tags/${tag}`,
      body: () => ({ name: 'kept', color: '#9b61ff' }),
      status: 200,
      reads: ['id', 'color'],
    },
    {
      call: 'DELETE /tags/{id}',
      path: ({ team, tag }) => `/tags/${tag}?team_id=${team}`,
      status: 204,
    },
  ],
};

/** The command line on the vendor's SDK. */
export const tcli: Client = {
  name: 'tcli',
  headers: bearer,
  calls: [
    {
      call: 'GET /notes',
      path: ({ story }) => `/notes?story_id=${story}`,
      status: 200,
      reads: ['annotations'],
    },
    {
      call: 'GET /global_resources',
      status: 200,
      reads: ['global_resources.0.value', 'meta.next_page_number'],
    },
  ],
};

/** A script from a time when keys went with an address. */
export const pythonTines: Client = {
  name: 'python-tines',
  headers: userToken,
  calls: [
    { call: 'GET /stories', path: () => '/stories?per_page=20', status: 200, reads: ['stories.0.id'] },
    {
      call: 'GET /stories/{id}/export',
      path: ({ story }) => `/stories/${story}/export`,
      status: 200,
      reads: ['agents'],
    },
    { call: 'GET /events', path: ({ story }) => `/events?story_id=${story}`, status: 200, reads: ['events'] },
    {
      call: 'GET /agents',
      path: ({ story }) => `/agents?story_id=${story}`,
      status: 200,
      reads: ['agents.0.id'],
    },
    {
      call: 'POST /agents/',
      body: ({ story }) => ({
        type: 'Agents::TriggerAgent',
        name: 'Made',
        story_id: story,
        options: { rules: [] },
        position: { x: 0, y: 0 },
      }),
      status: 201,
      reads: ['id'],
      keeps: { as: 'agent', from: 'id' },
    },
    { call: 'DELETE /agents/{id}', path: ({ agent }) => `/agents/${agent}`, status: 204 },
    {
      call: 'POST /global_resources',
      body: ({ team }) => ({ name: 'listed', value: ['a'], team_id: team }),
      status: 201,
      keeps: { as: 'list', from: 'id' },
      not: 'it takes 200 only as a success; a resource that was made answers 201',
    },
    {
      call: 'PUT /global_resources/{id}/append',
      path: ({ list }) => `/global_resources/${list}/append`,
      body: () => ({ value: 'b' }),
      status: 200,
    },
  ],
};

/** An action for deployments that sets one value. */
export const tinesConnect: Client = {
  name: 'tines-connect',
  headers: bearer,
  calls: [
    {
      call: 'PUT /global_resources/{id}',
      path: ({ resource }) => `/global_resources/${resource}`,
      body: () => ({ name: 'set', value_type: 'text', value: 'new' }),
      status: 200,
      reads: ['id', 'value'],
    },
  ],
};
