import Joi from 'joi';
import {
  cidr,
  commaList,
  hostPattern,
  networkOrHost,
  portRange,
  schemes,
} from '../platform/validation/variable-schemas.js';

/** Where requests of stories and notifications may go, and for how long (decision 0027). */
export interface OutboundSettings {
  /** CIDRs of private networks that may be reached all the same. */
  outboundAllow: string[];
  /** CIDRs, addresses and host patterns that are never reached. */
  outboundDeny: string[];
  /** Host patterns; when there are some, no other host is reached. */
  outboundAllowHosts: string[];
  /** From and to, both included; undefined: all but those of services that are not HTTP. */
  outboundPorts: [number, number][] | undefined;
  /** No plain HTTP, and no certificate that is not verified. */
  outboundRequireTls: boolean;
  /** HTTP proxy that all requests go through; may hold a user and password. */
  outboundProxy: string | undefined;
  httpTimeoutMs: number;
  /** The most that the option `timeout` of an action may ask for. */
  httpTimeoutMaxMs: number;
  httpMaxResponseBytes: number;
}

export interface OutboundEnvironment {
  OUTBOUND_ALLOW: string[];
  OUTBOUND_DENY: string[];
  OUTBOUND_ALLOW_HOSTS: string[];
  OUTBOUND_PORTS: string[];
  OUTBOUND_REQUIRE_TLS: boolean;
  OUTBOUND_PROXY?: string;
  HTTP_TIMEOUT_MS: number;
  HTTP_TIMEOUT_MAX_SECONDS: number;
  HTTP_MAX_RESPONSE_BYTES: number;
}

/** The variables, as the environment is checked. */
export const outboundVariables: Record<keyof OutboundEnvironment, Joi.Schema> = {
  OUTBOUND_ALLOW: commaList(cidr, 'expected addresses or CIDRs such as 10.0.0.0/8').default([]),
  OUTBOUND_DENY: commaList(networkOrHost, 'expected addresses, CIDRs or hosts such as *.example.com').default(
    [],
  ),
  OUTBOUND_ALLOW_HOSTS: commaList(
    hostPattern,
    'expected hosts such as api.example.com or *.example.com',
  ).default([]),
  OUTBOUND_PORTS: commaList(portRange, 'expected ports or ranges such as 443,8000-8999').default([]),
  OUTBOUND_REQUIRE_TLS: Joi.boolean().default(false),
  OUTBOUND_PROXY: schemes('http', 'https'),
  HTTP_TIMEOUT_MS: Joi.number().integer().min(100).default(30_000),
  HTTP_TIMEOUT_MAX_SECONDS: Joi.number().integer().min(1).max(600).default(60),
  HTTP_MAX_RESPONSE_BYTES: Joi.number()
    .integer()
    .min(1024)
    .default(10 * 1024 * 1024),
};

/** The settings that these variables mean. */
export function outboundSettings(env: OutboundEnvironment): OutboundSettings {
  return {
    outboundAllow: env.OUTBOUND_ALLOW,
    outboundDeny: env.OUTBOUND_DENY,
    outboundAllowHosts: env.OUTBOUND_ALLOW_HOSTS,
    outboundPorts: env.OUTBOUND_PORTS.length === 0 ? undefined : env.OUTBOUND_PORTS.map(rangeOf),
    outboundRequireTls: env.OUTBOUND_REQUIRE_TLS,
    outboundProxy: env.OUTBOUND_PROXY,
    httpTimeoutMs: env.HTTP_TIMEOUT_MS,
    httpTimeoutMaxMs: env.HTTP_TIMEOUT_MAX_SECONDS * 1000,
    httpMaxResponseBytes: env.HTTP_MAX_RESPONSE_BYTES,
  };
}

function rangeOf(text: string): [number, number] {
  const [low = '', high = low] = text.split('-');
  return [Number(low), Number(high)];
}
