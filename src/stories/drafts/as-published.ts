import type { JsonObject, JsonValue } from '../../platform/json.js';
import { WEBHOOK_TYPE } from '../import/import-address.js';
import { type GuidMap, mapGuids } from '../import/guid-map.js';
import { withGuid } from '../versions/restore-version.js';
import type { StoredStory } from '../export/story-export-store.js';

/** The settings that a published draft leaves as they are in the live story. */
const KEPT_SETTINGS = ['name', 'guid', 'disabled', 'priority'];

/**
 * Returns what the live story would be with the draft's content: actions that the draft took from it have its guids and its
 * webhook addresses again.
 */
export function asPublished(draft: StoredStory, live: StoredStory): StoredStory {
  const guids = liveGuids(draft, live);
  const kept = Object.fromEntries(KEPT_SETTINGS.map((key) => [key, live.columns[key] ?? null]));
  const byGuid = new Map(live.agents.map((agent) => [agent.columns.guid, agent]));
  return {
    ...draft,
    columns: { ...draft.columns, ...kept },
    extra: mapGuids(withGuid(draft.extra, live.extra.guid), guids) as JsonObject,
    agents: draft.agents.map(({ id, columns, extra }) => {
      const guid = guids.get(textIn(columns.guid)) ?? columns.guid ?? null;
      const own = byGuid.get(guid);
      // The live action knows which export it came from; the draft's copy came from the live one.
      const origin = own === undefined ? extra : withGuid(extra, own.extra.guid);
      return {
        id,
        columns: { ...columns, guid, options: withLiveAddress(columns, own?.columns) },
        extra: mapGuids(origin, guids) as JsonObject,
      };
    }),
  };
}

/**
 * Returns the live guid of each action of the draft that is in the live story too: the one it was copied from, or one that
 * came from the same export. Each live guid is given once.
 */
function liveGuids(draft: StoredStory, live: StoredStory): GuidMap {
  const free = new Map(
    [
      ...live.agents.map(({ extra, columns }) => [extra.guid, columns.guid]),
      ...live.agents.map(ownPair),
    ].filter((pair): pair is [string, string] => pair.every((guid) => typeof guid === 'string')),
  );
  const found = new Map<string, string>();
  const given = new Set<string>();
  for (const { columns, extra } of draft.agents) {
    const guid = free.get(textIn(extra.guid));
    if (guid === undefined || given.has(guid)) continue;
    given.add(guid);
    found.set(textIn(columns.guid), guid);
  }
  return found;
}

function textIn(guid: JsonValue | undefined): string {
  return typeof guid === 'string' ? guid : '';
}

function ownPair({ columns }: StoredStory['agents'][number]) {
  return [columns.guid, columns.guid];
}

function withLiveAddress(draft: JsonObject, live: JsonObject | undefined): JsonObject {
  const options = draft.options as JsonObject;
  if (live === undefined || draft.type !== WEBHOOK_TYPE) return options;
  const { path, secret } = live.options as JsonObject;
  return {
    ...options,
    ...(path !== undefined && { path }),
    ...(secret !== undefined && { secret }),
  };
}
