import { ancestry, assemblePayload, isNamed } from '../events/lineage.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { Mentions } from '../templates/template-mentions.js';
import type { CachedEvent } from './event-cache.js';
import type { DeliveryLoader } from './delivery-loader.js';

/**
 * The cumulative payload that a receiver of `event` sees: one key for each upstream action, oldest first
 * (decisions §5). Only what the templates name is loaded, and always the event itself. An ancestor that
 * retention has taken is an absent key (rule 16). `onReference` is told of references to secrets among it.
 */
export async function cumulativePayload(
  event: CachedEvent,
  named: Mentions['slugs'],
  loader: Pick<DeliveryLoader, 'events'>,
  onReference: () => void = () => undefined,
): Promise<JsonObject> {
  const parts = ancestry(event.id, event.lineage).filter(
    ([slug, id]) => id === event.id || isNamed(slug, named),
  );
  const missing = parts.map(([, id]) => id).filter((id) => id !== event.id);
  const found: Awaited<ReturnType<typeof loader.events>> =
    missing.length === 0 ? new Map() : await loader.events(missing);
  return assemblePayload(
    parts.flatMap(([slug, id]): [string, JsonValue][] => {
      const part = id === event.id ? event : found.get(id);
      if (part?.holdsReference === true) onReference();
      return part === undefined ? [] : [[slug, part.payload]];
    }),
  );
}
