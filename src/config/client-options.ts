import type { Config } from './config.js';
import type { HttpClientOptions } from '../platform/outbound/http-client.js';

/** Returns the options of the HTTP client for this configuration. */
export function clientOptions(config: Config): HttpClientOptions {
  return {
    allow: config.outboundAllow,
    deny: config.outboundDeny,
    allowHosts: config.outboundAllowHosts,
    ports: config.outboundPorts,
    requireTls: config.outboundRequireTls,
    proxy: config.outboundProxy,
    timeoutMs: config.httpTimeoutMs,
    maxTimeoutMs: config.httpTimeoutMaxMs,
    maxResponseBytes: config.httpMaxResponseBytes,
  };
}
