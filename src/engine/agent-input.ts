import { ancestry } from '../events/lineage.js';
import type { JsonObject } from '../json.js';
import type { Mentions } from '../templates/template-mentions.js';
import type { CachedEvent } from './event-cache.js';
import type { DeliveryLoader } from './delivery-loader.js';

/**
 * The cumulative payload that a receiver of `event` sees: one key for each upstream action, oldest first
 * (decisions §5). Only what the templates name is loaded, and always the event itself. An ancestor that
 * retention has taken is an absent key (rule 16).
 */
export async function cumulativePayload(
  event: CachedEvent,
  named: Mentions['slugs'],
  loader: Pick<DeliveryLoader, 'events'>,
): Promise<JsonObject> {
  const parts = ancestry(event.id, event.lineage).filter(
    ([slug, id]) => id === event.id || named === 'all' || named.has(slug),
  );
  const missing = parts.map(([, id]) => id).filter((id) => id !== event.id);
  const found = await loader.events(missing);
  const payload: JsonObject = {};
  for (const [slug, id] of parts) {
    const part = id === event.id ? event : found.get(id);
    if (part !== undefined) payload[slug] = part.payload;
  }
  return payload;
}
