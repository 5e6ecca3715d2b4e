import type { AgentDocs, OptionTable } from './agent-docs.js';

/** The options of the request: its address and its content. */
const request: OptionTable = {
  url: { description: 'The address, http or https.', example: 'https://api.example.com/items' },
  method: { description: 'HTTP method; case-insensitive.', example: 'get' },
  content_type: {
    description: 'How the payload is encoded: json, form, data, xml, text or a media type.',
    example: 'json',
  },
  'content-type': { description: 'Same as `content_type`, as some exports spell it.', example: 'json' },
  payload: {
    description: 'Request body. With GET and HEAD, it is added to the query.',
    example: { name: '<<receive.body.name>>' },
  },
  headers: { description: 'The headers, by name.', example: { accept: 'application/json' } },
  basic_auth: {
    description: 'User and password: a list of two, or `user:password`.',
    example: ['user', 'pass'],
  },
  digest_auth: {
    description: 'User and password for Digest authentication, in the forms of `basic_auth`.',
    example: ['user', 'pass'],
  },
  query_params: {
    description: 'Parameters that are added to the query of the address.',
    example: { page: 1 },
  },
  params_encoder: { description: 'How lists and objects are written into a query or form.', example: 'flat' },
  mutual_tls: { description: 'Exactly one credential of the mode MTLS.', example: '<<CREDENTIAL.partner>>' },
  user_agent: { description: 'The header `User-Agent`.', example: 'alerts/1.0' },
};

/** How it is sent, and what becomes of the response. */
const handling: OptionTable = {
  timeout: { description: 'Timeout of the whole request, in seconds.', example: 30 },
  disable_ssl_verification: { description: 'If true, the certificate is not verified.', example: false },
  disable_redirect_follow: { description: 'If true, redirects are not followed.', example: false },
  disable_url_encoding: {
    description: 'If true, parameters are added to the query without encoding.',
    example: false,
  },
  log_error_on_status: {
    description: 'Statuses and ranges that are logged as errors; 0 is no response.',
    example: ['0', '500-599'],
  },
  retry_on_status: {
    description: 'Statuses and ranges that are retried.',
    example: ['429', '500-599'],
  },
  retries: {
    description: 'Number of retries, at most 25; defaults to the server setting.',
    example: 3,
  },
  fail_on_status: {
    description: 'Statuses and ranges with which the action fails; true means 0 and 400-599.',
    example: ['400-599'],
  },
  emit_failure_event: { description: 'Whether a failure emits an event.', example: true },
  pagination: {
    description: 'Requests page after page while `has_more` is true. Templates can use `PAGINATE.index`.',
    example: { has_more: '=SIZE(PAGINATE.previous_response.body) = 10', output_as_single_event: true },
  },
};

export const httpRequestDocs: AgentDocs = {
  name: 'HTTP request',
  description: 'Sends an HTTP request and emits the response.',
  receives: 'events of other actions, or none at the start of a run',
  emits: '`{status, headers, body}`; status 0 without a response',
  loops: true,
  options: { ...request, ...handling },
};
