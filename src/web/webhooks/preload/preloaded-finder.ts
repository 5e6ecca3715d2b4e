import { isConnectionError } from '../../../platform/mysql/db-errors.js';
import type { WebhookFinder } from '../webhook-call.js';
import type { WebhookPreload } from './webhook-preload.js';

/** Finds webhooks as `graphs` does. While MySQL is unreachable, it also finds webhooks that were never used (rule 18). */
export function createPreloadedFinder(
  graphs: WebhookFinder,
  preload: Pick<WebhookPreload, 'find' | 'hasAll'>,
): WebhookFinder {
  return {
    mayExist: (path) => !preload.hasAll() || preload.find(path) !== undefined,
    findWebhook: (path) =>
      graphs.findWebhook(path).catch((error: unknown) => {
        const found = isConnectionError(error) ? preload.find(path) : undefined;
        if (found === undefined) throw error;
        return found;
      }),
  };
}
