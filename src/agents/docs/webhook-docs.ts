import type { AgentDocs } from './agent-docs.js';

export const webhookDocs: AgentDocs = {
  name: 'Webhook',
  description: 'Starts a run for each request to its URL.',
  receives: 'HTTP requests; it has no incoming links',
  emits: 'the request body and, optionally, its headers',
  loops: false,
  options: {
    path: {
      description: 'Part of the URL before the secret. Generated if absent.',
      example: 'alerts',
    },
    secret: {
      description: 'Last part of the URL. Generated if absent.',
      example: '0b4ed6c2a6f24ef48a4f0d2a0c4f6a5b',
    },
    verbs: {
      description: 'Allowed methods: a list or comma-separated text.',
      example: 'get,post',
    },
    response: {
      description: 'Response body, which can contain templates that use the request.',
      example: { ok: true },
    },
    response_code: { description: 'The status of the response.', example: '201' },
    response_headers: {
      description: 'The headers of the response, by name.',
      example: { 'content-type': 'text/plain' },
    },
    include_headers: {
      description: 'If true, the event contains the request headers under `headers`.',
      example: true,
    },
    keep_headers: {
      description: 'Headers with credentials to keep in the event: a list or comma-separated text.',
      example: ['authorization'],
    },
    enable_cors: {
      description: 'If true, pages of any origin can call it from a browser and read its responses.',
      example: true,
    },
    cors: {
      description:
        'Allowed origins: a list or `{origins}`. `Access-Control-Allow-Origin` in `response_headers` means the same.',
      example: ['https://forms.example'],
    },
    rate_limit: {
      description:
        '`{key, count, period}`: at most `count` requests with the same `key` within `period` seconds, at most a day. Other requests get 429.',
      example: { key: '<<body.customer>>', count: 10, period: 60 },
    },
    raw_body: {
      description: 'If true, the event also contains the raw body under `raw_body`.',
      example: true,
    },
  },
};
