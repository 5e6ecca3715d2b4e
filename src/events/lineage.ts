/**
 * Which event stands behind each key of a cumulative payload: slug → event id, oldest first. The event that
 * carries the lineage has the id 0 in it: it is stored before its own id is known.
 */
export type Lineage = Record<string, number>;

const SELF = 0;

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
