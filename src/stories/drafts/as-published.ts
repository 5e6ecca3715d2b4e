import type { JsonObject, JsonValue } from '../../platform/json.js';
import { WEBHOOK_TYPE } from '../import/import-address.js';
import { type GuidMap, mapGuids } from '../import/plan/guid-map.js';
import { withGuid } from '../versions/restore-version.js';
import type { StoredStory } from '../export/story-export-store.js';
import { copyGuid } from './copy-guid.js';

/** The settings that a published draft leaves as they are in the live story, and an updated one as in the draft. */
const KEPT_SETTINGS = ['name', 'guid', 'disabled', 'priority'];

type StoredAgent = StoredStory['agents'][number];

/** The draft of a story, the story, and what the draft was made of, if that is known. */
export interface DraftStates {
  draft: StoredStory;
  live: StoredStory;
  base: StoredStory | undefined;
}

/**
 * Returns what the live story would be with the draft's content: actions that the draft took from it, or that it had when
 * the draft was made, have its guids and its webhook addresses again.
 */
export function asPublished({ draft, live, base }: DraftStates): StoredStory {
  const known = knownAgents(live, base);
  const guids = liveGuids(draft, known);
  const byGuid = new Map(known.map((agent) => [agent.columns.guid, agent]));
  return {
    ...draft,
    columns: { ...draft.columns, ...keptSettings(live) },
    extra: mapGuids(withGuid(draft.extra, live.extra.guid), guids) as JsonObject,
    agents: draft.agents.map(({ id, columns, extra }) => {
      const guid = guids.get(textIn(columns.guid)) ?? columns.guid ?? null;
      const own = byGuid.get(guid);
      // The live action knows which export it came from; the draft's copy came from the live one.
      const origin = own === undefined ? extra : withGuid(extra, own.extra.guid);
      return {
        id,
        columns: { ...columns, guid, options: withAddressOf(own, columns) },
        extra: mapGuids(origin, guids) as JsonObject,
      };
    }),
  };
}

/**
 * Returns what the draft would be with the content of `merged`, which has the guids of the live story: its own actions have
 * their guids and webhook addresses, the others are copies with none.
 */
export function asDraft(merged: StoredStory, { draft, live, base }: DraftStates): StoredStory {
  const guids = liveGuids(draft, knownAgents(live, base));
  const back = new Map([...guids].map(([own, guid]) => [guid, own]));
  const byGuid = new Map(draft.agents.map((agent) => [agent.columns.guid, agent]));
  for (const guid of merged.agents.map(({ columns }) => textIn(columns.guid))) {
    if (!back.has(guid) && !byGuid.has(guid)) back.set(guid, copyGuid(textIn(draft.columns.guid), guid));
  }
  return {
    ...merged,
    columns: { ...merged.columns, ...keptSettings(draft) },
    extra: mapGuids(withGuid(merged.extra, draft.extra.guid), back) as JsonObject,
    agents: merged.agents.map(({ id, columns, extra }) => {
      const guid = textIn(columns.guid);
      const own = byGuid.get(back.get(guid) ?? guid);
      const origin = own === undefined ? guid : (guids.get(textIn(own.columns.guid)) ?? own.extra.guid);
      return {
        id,
        columns: {
          ...columns,
          guid: own?.columns.guid ?? back.get(guid) ?? guid,
          options: withAddressOf(own ?? 'new', columns),
        },
        extra: mapGuids(withGuid(extra, origin), back) as JsonObject,
      };
    }),
  };
}

function keptSettings({ columns }: StoredStory): JsonObject {
  return Object.fromEntries(KEPT_SETTINGS.map((key) => [key, columns[key] ?? null]));
}

/** The actions of the live story, and those that it had when the draft was made. */
function knownAgents(live: StoredStory, base: StoredStory | undefined): StoredAgent[] {
  const present = new Set(live.agents.map(({ columns }) => columns.guid));
  const gone = (base?.agents ?? []).filter(({ columns }) => !present.has(columns.guid ?? ''));
  return [...live.agents, ...gone];
}

/**
 * Returns the live guid of each action of the draft that the story knows: the one it was copied from, or one that came from
 * the same export. Each live guid is given once.
 */
function liveGuids(draft: StoredStory, known: readonly StoredAgent[]): GuidMap {
  const free = new Map(
    [
      ...known.map(({ extra, columns }) => [extra.guid, columns.guid]),
      ...known.map(({ columns }) => [columns.guid, columns.guid]),
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

/** Returns the options with the webhook address of an action; a new one is given an address when it is written. */
function withAddressOf(
  own: StoredAgent | 'new' | undefined,
  { type, options: given }: JsonObject,
): JsonObject {
  const options = given as JsonObject;
  if (own === undefined || type !== WEBHOOK_TYPE) return options;
  const { path, secret } = own === 'new' ? { path: '', secret: '' } : (own.columns.options as JsonObject);
  return {
    ...options,
    ...(path !== undefined && { path }),
    ...(secret !== undefined && { secret }),
  };
}
