import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';

/**
 * Which event stands behind each key of a cumulative payload: slug → event id, oldest first. The event that
 * carries the lineage has the id 0 in it: it is stored before its own id is known.
 */
export type Lineage = Record<string, number>;

const SELF = 0;
/** The key of what a run began on, which is no slug: its own keys stand at the top of the payload. */
const INPUT = '#input';

/** The lineage, as JSON text, of a run's input: what its first action, and all after that, know of the past. */
export function lineageOfInput(input: string): string {
  return input === '{}' ? '{}' : JSON.stringify({ [INPUT]: SELF });
}

/** The lineage of an event by an agent with this slug, made from the event that led to it; none at a start. */
export function extendLineage(slug: string, parent?: { id: number; lineage: Lineage }): Lineage {
  const lineage: Lineage = {};
  for (const [upstream, id] of Object.entries(parent?.lineage ?? {})) {
    if (upstream !== slug) lineage[upstream] = id === SELF ? (parent?.id ?? SELF) : id;
  }
  lineage[slug] = SELF;
  return lineage;
}

/** Slug and event id of every part of the cumulative payload of event `id`, oldest first. */
export function ancestry(id: number, lineage: Lineage): [slug: string, eventId: number][] {
  return Object.entries(lineage).map(([slug, eventId]) => [slug, eventId === SELF ? id : eventId]);
}

/** Reads what `JSON.stringify` of a lineage stored. */
export function parseLineage(text: string): Lineage {
  return JSON.parse(text) as Lineage;
}

/** The cumulative payload made of its parts, oldest first; the keys of a run's input come before all. */
export function assemblePayload(parts: Iterable<[slug: string, part: JsonValue]>): JsonObject {
  const payload: JsonObject = {};
  for (const [slug, part] of parts) {
    if (slug === INPUT) Object.assign(payload, isJsonObject(part) ? part : { body: part });
    else payload[slug] = part;
  }
  return payload;
}

/** Whether a part is wanted by templates that name `slugs`: the input's keys are not known by name. */
export function isNamed(slug: string, slugs: ReadonlySet<string> | 'all'): boolean {
  return slugs === 'all' || slug === INPUT || slugs.has(slug);
}
