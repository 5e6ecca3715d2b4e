import type { ServerResponse } from 'node:http';
import type { Config } from '../../../config/face.js';
import type { NearbyCounter } from '../../../platform/http/limits/nearby-counter.js';
import type { RateLimit } from '../../../platform/http/limits/rate-counter.js';
import { enforce } from '../../../api/face.js';
import type { TenantQuotas } from '../../../people/face.js';

/** A webhook that received a request. */
export interface CalledWebhook {
  agentId: number;
  tenantId: number;
}

/** Rate limits of webhooks, and the quotas of their tenants (spec §1.8; decision 0032). */
export interface WebhookLimits {
  /**
   * Counts one request that knows the secret, so that strangers cannot use up a limit. Does no I/O.
   * @throws TooManyRequests if the webhook or its tenant has reached its requests of this minute; QuotaReached if the
   * tenant may start no more runs today.
   */
  check(call: CalledWebhook, response: ServerResponse): void;
}

export interface WebhookLimitsDeps {
  counter: NearbyCounter;
  /** Requests a minute for each webhook, and for all webhooks of a tenant; 0 = no limit. */
  config: Pick<Config, 'webhookRateLimitPerMinute' | 'webhookTenantRateLimitPerMinute'>;
  quotas: Pick<TenantQuotas, 'requireArrival'>;
}

/** Counts by agent id instead of path, because each path belongs to one agent. */
export function createWebhookLimits({ counter, config, quotas }: WebhookLimitsDeps): WebhookLimits {
  const perWebhook = config.webhookRateLimitPerMinute;
  const perTenant = config.webhookTenantRateLimitPerMinute;
  const limitsOf = ({ agentId, tenantId }: CalledWebhook): RateLimit[] => [
    ...(perWebhook === 0 ? [] : [{ name: `webhook:${agentId}`, perMinute: perWebhook }]),
    ...(perTenant === 0
      ? []
      : [{ name: `webhooks:${tenantId}`, perMinute: perTenant, whose: 'of one tenant' }]),
  ];
  return {
    check(call, response) {
      enforce(counter.count(limitsOf(call)), response);
      quotas.requireArrival(call.tenantId);
    },
  };
}
