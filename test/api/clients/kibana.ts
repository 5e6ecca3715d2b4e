import { type Client, type ClientCall, userToken } from '../../support/clients.js';

const STORIES: ClientCall = {
  call: 'GET /stories',
  path: () => '/stories?per_page=500',
  body: () => ({}),
  status: 200,
  reads: ['stories.0.id', 'stories.0.name', 'stories.0.published', 'meta.pages'],
};
const AGENT = [
  'agents.0.id',
  'agents.0.name',
  'agents.0.type',
  'agents.0.story_id',
  'agents.0.options.path',
  'agents.0.options.secret',
  'meta.pages',
];
const ALERTS = { alerts: [{ rule: 'r', severity: 'high' }] };

/** A test makes what its user has: a story whose webhook answers with an object. */
const ready: ClientCall = {
  call: 'POST /actions by its user',
  path: () => '/actions',
  body: ({ story }) => ({
    type: 'Agents::WebhookAgent',
    name: 'For alerts',
    options: {
      verbs: 'post',
      response: '{"received": true}',
      response_headers: { 'content-type': 'application/json' },
    },
    position: { x: 150, y: 0 },
    story_id: story,
  }),
  status: 201,
  keeps: { as: 'answering', from: 'id' },
};

/** Its runs: the default response, and one that is an object. */
const RUNS: ClientCall[] = [
  {
    call: 'POST /webhook/{path}/{secret}',
    path: ({ path, secret }) => `/webhook/${path}/${secret}`,
    body: () => ALERTS,
    status: 201,
    not: 'it needs an object; the default answer of a webhook is the text Ok: set its response',
  },
];

function runOf(call: string, id: string): ClientCall[] {
  const read = (as: string): ClientCall => ({
    call,
    path: ({ [id]: agent }) => `/actions/${agent}`,
    body: () => ({}),
    status: 200,
    reads: ['id', 'options.path', 'options.secret'],
    keeps: { as, from: `options.${as}` },
  });
  return [read('path'), read('secret')];
}

/** The connector as it is now: it reads the webhook before each run. */
export const kibana: Client = {
  name: 'Kibana',
  headers: userToken,
  calls: [
    STORIES,
    {
      call: 'GET /agents with action_type',
      path: ({ story }) => `/agents?story_id=${story}&per_page=500&action_type=Agents::WebhookAgent`,
      body: () => ({}),
      status: 200,
      reads: AGENT,
    },
    ...runOf('GET /actions/{id}', 'webhook'),
    ...RUNS,
    ready,
    ...runOf('GET /actions/{id} of a webhook with a response', 'answering'),
    {
      call: 'POST /webhook/{path}/{secret} with a response that is an object',
      path: ({ path, secret }) => `/webhook/${path}/${secret}`,
      body: () => ALERTS,
      status: 201,
      reads: ['received'],
    },
  ],
};

/** The connector before: it kept the address that the list gave. */
export const olderKibana: Client = {
  name: 'Kibana before',
  headers: userToken,
  calls: [
    STORIES,
    {
      call: 'GET /agents',
      path: ({ story }) => `/agents?story_id=${story}&per_page=500`,
      body: () => ({}),
      status: 200,
      reads: AGENT,
      keeps: { as: 'path', from: 'agents.0.options.path' },
    },
    {
      call: 'GET /agents for the secret',
      path: ({ story }) => `/agents?story_id=${story}&per_page=500`,
      body: () => ({}),
      status: 200,
      keeps: { as: 'secret', from: 'agents.0.options.secret' },
    },
    ...RUNS,
  ],
};
