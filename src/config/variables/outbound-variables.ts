import {
  flagVariable,
  hosts,
  integerVariable,
  networks,
  networksOrHosts,
  portRanges,
  secondsAsMs,
  url,
} from '../value-types.js';
import { inGroup } from '../variable.js';

const variable = inGroup('Outbound requests');

/** Allowed targets and time limits of requests of stories and notifications (decision 0027). */
export const outboundVariables = {
  outboundAllow: variable('OUTBOUND_ALLOW', networks, {
    default: [],
    defaultText: 'none',
    meaning: 'Private networks that HTTP requests can reach.',
    more: '../build/agents.md#outbound',
  }),
  outboundDeny: variable('OUTBOUND_DENY', networksOrHosts, {
    default: [],
    defaultText: 'none',
    meaning: 'Networks and hosts that HTTP requests can never reach, regardless of other settings.',
  }),
  outboundAllowHosts: variable('OUTBOUND_ALLOW_HOSTS', hosts, {
    default: [],
    defaultText: 'all',
    meaning: 'The only hosts that HTTP requests can reach.',
  }),
  outboundPorts: variable('OUTBOUND_PORTS', portRanges, {
    defaultText: 'all but those of mail, databases and the like',
    meaning: 'The only ports that HTTP requests can reach.',
  }),
  outboundRequireTls: variable('OUTBOUND_REQUIRE_TLS', flagVariable, {
    default: false,
    meaning: 'Whether plain HTTP and unverified certificates are rejected.',
  }),
  outboundProxy: variable('OUTBOUND_PROXY', url('http', 'https'), {
    secret: true,
    defaultText: 'none',
    meaning: 'HTTP proxy that all HTTP requests of stories and notifications use.',
    example: 'http://user:password@host:3128',
  }),
  httpTimeoutMs: variable('HTTP_TIMEOUT_MS', integerVariable({ min: 100 }), {
    default: 30_000,
    unit: 'milliseconds',
    meaning: 'Timeout of HTTP requests whose action sets no `timeout`.',
  }),
  httpTimeoutMaxMs: variable('HTTP_TIMEOUT_MAX_SECONDS', secondsAsMs({ min: 1, max: 600 }), {
    default: 60,
    unit: 'seconds',
    meaning: 'Maximum `timeout` that an action can set.',
  }),
  httpMaxResponseBytes: variable('HTTP_MAX_RESPONSE_BYTES', integerVariable({ min: 1024 }), {
    default: 10 * 1024 * 1024,
    defaultText: '`10485760` (10 MiB)',
    unit: 'bytes',
    meaning: 'Maximum response body size of one HTTP request.',
  }),
};
