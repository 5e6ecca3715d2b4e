import type { Schema } from './value-kinds.js';

/** A field that only some options have. */
export type SpecialField = 'rules' | 'statuses' | 'story' | 'record type' | 'record writers';

const REQUEST = 'Agents::HTTPRequestAgent';
const SPECIAL: Readonly<Record<string, SpecialField>> = {
  'Agents::TriggerAgent rules': 'rules',
  [`${REQUEST} log_error_on_status`]: 'statuses',
  [`${REQUEST} retry_on_status`]: 'statuses',
  [`${REQUEST} fail_on_status`]: 'statuses',
  'Agents::SendToStoryAgent story': 'story',
  'Agents::RecordAgent record_type': 'record type',
  'Agents::RecordAgent record_writers': 'record writers',
};

/** Returns the field that an option of a type has instead of the general one. */
export function specialFieldOf(type: string, name: string): SpecialField | undefined {
  return SPECIAL[`${type} ${name}`];
}

const PLAIN = new Set(['path', 'secret', 'verbs'].map((name) => `Agents::WebhookAgent ${name}`));

/** Whether templates mean nothing in an option of a type. */
export const isPlainOption = (type: string, name: string): boolean => PLAIN.has(`${type} ${name}`);

const HEADERS = [
  'Accept',
  'Accept-Language',
  'Authorization',
  'Cache-Control',
  'Content-Type',
  'Cookie',
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'Idempotency-Key',
  'Prefer',
  'Range',
  'Referer',
  'User-Agent',
  'X-Api-Key',
  'X-Request-Id',
];
const RESPONSE_HEADERS = [
  'Access-Control-Allow-Origin',
  'Cache-Control',
  'Content-Disposition',
  'Content-Type',
  'Location',
  'Retry-After',
  'Set-Cookie',
];
const KNOWN: Readonly<Record<string, Schema>> = {
  [`${REQUEST} method`]: { enum: ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] },
  [`${REQUEST} content_type`]: {
    enum: [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/xml',
      'text/plain',
      'application/octet-stream',
    ],
  },
  [`${REQUEST} headers`]: { propertyNames: { enum: HEADERS } },
  'Agents::WebhookAgent response_headers': { propertyNames: { enum: RESPONSE_HEADERS } },
};

/** Returns the schema of an option with its usual values, which the server does not restrict it to. */
export function withUsualValues(type: string, name: string, schema: Schema): Schema {
  return { ...schema, ...KNOWN[`${type} ${name}`] };
}

const IN_SECONDS = new Set(['seconds', 'timeout', 'period']);

/** Returns the unit of an option that is a number; undefined if it has none. */
export function unitOf(option: string): string | undefined {
  return IN_SECONDS.has(option) ? 'seconds' : undefined;
}
