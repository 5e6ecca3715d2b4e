import { isJsonObject, type JsonObject, type JsonValue } from '../platform/json.js';
import { orderedObject } from '../platform/json/ordered-object.js';

/**
 * The event behind each key of a cumulative payload: slug → event id, oldest first. The event that carries the lineage
 * has the id 0 in it: it is stored before its id is known.
 */
export type Lineage = Record<string, number>;

const SELF = 0;
/** The key of a run's input. It is no slug: the input's own keys go to the top level of the payload. */
const INPUT = '#input';

/** Returns the lineage of a run's input as JSON text; its first agent and all later ones inherit it. */
export function lineageOfInput(input: string): string {
  return input === '{}' ? '{}' : JSON.stringify({ [INPUT]: SELF });
}

/** Returns the lineage of an event of the agent with this slug; `parent` is its inbound event, none at a start. */
export function extendLineage(slug: string, parent?: { id: number; lineage: Lineage }): Lineage {
  const lineage: Lineage = {};
  for (const [upstream, id] of Object.entries(parent?.lineage ?? {})) {
    if (upstream !== slug) lineage[upstream] = id === SELF ? (parent?.id ?? SELF) : id;
  }
  lineage[slug] = SELF;
  return lineage;
}

/** Returns slug and event id of each part of the cumulative payload of event `id`, oldest first. */
export function ancestry(id: number, lineage: Lineage): [slug: string, eventId: number][] {
  return Object.entries(lineage).map(([slug, eventId]) => [slug, eventId === SELF ? id : eventId]);
}

/** Parses a stored lineage. */
export function parseLineage(text: string): Lineage {
  return JSON.parse(text) as Lineage;
}

/** Returns the cumulative payload of these parts, oldest first; the keys of a run's input come first. */
export function assemblePayload(parts: Iterable<[slug: string, part: JsonValue]>): JsonObject {
  const entries: [string, JsonValue][] = [];
  for (const [slug, part] of parts) {
    if (slug !== INPUT) entries.push([slug, part]);
    else for (const entry of Object.entries(isJsonObject(part) ? part : { body: part })) entries.push(entry);
  }
  return orderedObject(entries);
}

/** Returns true if templates that name `slugs` may need this part; the input always, as templates use its keys directly. */
export function isNamed(slug: string, slugs: ReadonlySet<string> | 'all'): boolean {
  return slugs === 'all' || slug === INPUT || slugs.has(slug);
}
