import type { JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import type { StoredStory } from '../export/story-export-store.js';
import { LIMITS } from '../import/import-limits.js';

/** Returns why no import would take the story, although it would take both sides; undefined: it would. */
export function boundsFault(
  { columns, extra, agents, links }: StoredStory,
  sides = 'the draft and the live story',
): string | undefined {
  const notes = Array.isArray(extra.diagram_notes) ? extra.diagram_notes.length : 0;
  const counts = { actions: agents.length, links: links.length, notes };
  const most = { actions: LIMITS.agents, links: LIMITS.links, notes: LIMITS.notes };
  for (const key of ['actions', 'links', 'notes'] as const) {
    if (counts[key] > most[key]) {
      return `T${sides.slice(1)} together have ${counts[key]} ${key}, and a story can have ${most[key]}`;
    }
  }
  const large = agents.find((agent) => isLarge([agent.columns, agent.extra]));
  if (large !== undefined) {
    return `The action ${stringifyJson(large.columns.name ?? '')} would be larger than ${LIMITS.rowBytes} bytes with the changes of both sides`;
  }
  if (!isLarge([columns, extra])) return undefined;
  return `Settings, notes and tests of ${sides} together are larger than ${LIMITS.rowBytes} bytes`;
}

function isLarge(value: JsonValue): boolean {
  return Buffer.byteLength(stringifyJson(value)) > LIMITS.rowBytes;
}
