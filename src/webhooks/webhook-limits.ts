import type { ServerResponse } from 'node:http';
import type { Config } from '../config.js';
import type { RateCounter } from '../http/rate-counter.js';
import { enforce } from '../http/rate-limit.js';

/** Rate limits of webhooks; there are none unless configured (decisions §1). */
export interface WebhookLimits {
  /**
   * Counts one call of somebody who knows the secret: strangers cannot use a limit up.
   * @throws TooManyRequests when the webhook or its tenant has had its calls of this minute.
   */
  check(call: { agentId: number; tenantId: number }, response: ServerResponse): Promise<void>;
}

export interface WebhookLimitsDeps {
  counter: RateCounter;
  /** Calls a minute for each webhook, and for all webhooks of a tenant; 0 = no limit. */
  config: Pick<Config, 'webhookRateLimitPerMinute' | 'webhookTenantRateLimitPerMinute'>;
}

/** The agent stands for its path: they belong together one to one. The braces keep both counters in one slot. */
export function createWebhookLimits({ counter, config }: WebhookLimitsDeps): WebhookLimits {
  const perWebhook = config.webhookRateLimitPerMinute;
  const perTenant = config.webhookTenantRateLimitPerMinute;
  if (perWebhook === 0 && perTenant === 0) return { check: () => Promise.resolve() };
  return {
    check: ({ agentId, tenantId }, response) =>
      enforce(
        counter,
        [
          { name: `webhook:{${tenantId}}:${agentId}`, perMinute: perWebhook },
          { name: `webhooks:{${tenantId}}`, perMinute: perTenant },
        ],
        response,
      ),
  };
}
