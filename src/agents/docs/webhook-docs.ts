import type { AgentDocs } from './agent-docs.js';

export const webhookDocs: AgentDocs = {
  name: 'Webhook',
  description: 'Starts a run with each request to its address.',
  receives: 'HTTP requests; no link leads to it',
  emits: 'the body of the request, and its headers if they are wanted',
  loops: false,
  options: {
    path: {
      description: 'The part of the address before the secret. It is made if it is absent.',
      example: 'alerts',
    },
    secret: {
      description: 'The last part of the address. It is made if it is absent.',
      example: '0b4ed6c2a6f24ef48a4f0d2a0c4f6a5b',
    },
    verbs: {
      description: 'The allowed methods: a list, or a text with commas.',
      example: 'get,post',
    },
    response: {
      description: 'The body of the response, which may contain templates that see the request.',
      example: { ok: true },
    },
    response_code: { description: 'The status of the response.', example: '201' },
    response_headers: {
      description: 'The headers of the response, by name.',
      example: { 'content-type': 'text/plain' },
    },
    include_headers: {
      description: 'True: the event has the headers of the request under `headers`.',
      example: true,
    },
    keep_headers: {
      description: 'The headers with credentials that the event keeps: a list, or a text with commas.',
      example: ['authorization'],
    },
    enable_cors: {
      description: 'True: pages of any origin may call it from a browser and read its answers.',
      example: true,
    },
    cors: {
      description:
        'The origins whose pages may: a list, or `{origins}`. `Access-Control-Allow-Origin` in `response_headers` means the same.',
      example: ['https://forms.example'],
    },
    rate_limit: {
      description:
        '`{key, count, period}`: at most `count` requests with the same `key` within `period` seconds, at most a day. Others are answered with 429.',
      example: { key: '<<body.customer>>', count: 10, period: 60 },
    },
    raw_body: {
      description: 'True: the event also has the body as it came, under `raw_body`.',
      example: true,
    },
  },
};
