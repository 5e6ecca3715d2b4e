import { ancestry, assemblePayload, isNamed } from '../../../agents/face.js';
import type { JsonObject } from '../../../platform/json.js';
import type { Mentions } from '../../../language/face.js';
import type { CachedEvent } from '../../state/events/event-cache.js';
import type { DeliveryLoader } from '../delivery-loader.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';

/** The input of an agent, in parts; they are assembled when `payload` is read first. */
export interface AgentInput {
  /** One key per upstream agent, oldest first (spec §5.1). */
  readonly payload: JsonObject;
  /** Characters of the parts as stored. */
  readonly characters: number;
  /** Whether it may contain references to secrets (decision 0026). */
  readonly holdsReference: boolean;
  /** The parts as JSON text, for another thread. */
  texts(): [slug: string, text: string][];
}

/**
 * Returns the cumulative payload that a receiver of `event` sees: the event itself and the parts that templates name. An
 * ancestor that retention has deleted is an absent key (rule 16).
 */
export async function loadInput(
  event: CachedEvent,
  named: Mentions['slugs'],
  loader: Pick<DeliveryLoader, 'events'>,
): Promise<AgentInput> {
  const parts = ancestry(event.id, event.lineage).filter(
    ([slug, id]) => id === event.id || isNamed(slug, named),
  );
  const missing = parts.map(([, id]) => id).filter((id) => id !== event.id);
  const found: Awaited<ReturnType<typeof loader.events>> =
    missing.length === 0 ? new Map() : await loader.events(missing);
  return new InputParts(
    parts.flatMap(([slug, id]): [string, CachedEvent][] => {
      const part = id === event.id ? event : found.get(id);
      return part === undefined ? [] : [[slug, part]];
    }),
  );
}

class InputParts implements AgentInput {
  readonly characters: number;
  readonly holdsReference: boolean;
  readonly #parts: [string, CachedEvent][];
  #payload: JsonObject | undefined;

  constructor(parts: [string, CachedEvent][]) {
    this.#parts = parts;
    let characters = 0;
    for (const [, part] of parts) characters += part.text?.length ?? 0;
    this.characters = characters;
    this.holdsReference = parts.some(([, part]) => part.holdsReference === true);
  }

  get payload(): JsonObject {
    this.#payload ??= assemblePayload(this.#parts.map(([slug, part]) => [slug, part.payload]));
    return this.#payload;
  }

  texts(): [string, string][] {
    return this.#parts.map(([slug, part]) => [slug, part.text ?? stringifyJson(part.payload)]);
  }
}
