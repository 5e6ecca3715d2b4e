import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { mergedObjects } from '../../platform/json/ordered-object.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import type { StoredStory } from '../export/story-export-store.js';
import { changedBy, type Three, under, UNKNOWN, viewed } from './three-way.js';
import { mergedOrder, textOrEmpty, threeOf } from './merge-parts.js';

/** The guids of the actions of all states, and what each action of the result has in `integrations`. */
interface KnownInputs {
  known: ReadonlySet<string>;
  kept: ReadonlyMap<string, { inputs: JsonValue[] | undefined }>;
}

/**
 * Returns the entries of `integrations` (spec §3.4) by the guid of their action, in their order. Entries of no known action
 * are known by their text.
 */
export function inputsOf(
  { integrations }: JsonObject,
  known: Pick<ReadonlySet<string>, 'has'>,
): Map<string, JsonValue[]> {
  const found = new Map<string, JsonValue[]>();
  for (const entry of Array.isArray(integrations) ? integrations : []) {
    const guid = isJsonObject(entry) ? textOrEmpty(entry.action_guid) : '';
    const key = known.has(guid) ? guid : stringifyJson(entry);
    found.set(key, [...(found.get(key) ?? []), entry]);
  }
  return found;
}

/**
 * Returns the extra keys with the inputs of the actions of the result. Entries of no known action are there unless a side
 * removed them.
 */
export function withInputs(
  extra: JsonObject,
  stories: Three<StoredStory> & { live: StoredStory; draft: StoredStory },
  { known, kept }: KnownInputs,
): JsonObject {
  const { base, live, draft } = stories;
  const maps = {
    base: base === UNKNOWN || base === undefined ? undefined : inputsOf(base.extra, known),
    live: inputsOf(live.extra, known),
    draft: inputsOf(draft.extra, known),
  };
  const entries = mergedOrder(maps).flatMap((key): JsonValue[] => {
    if (known.has(key)) return kept.get(key)?.inputs ?? [];
    const states = threeOf(maps, key);
    const isKept = states.base === undefined || states.base === UNKNOWN || (states.live && states.draft);
    return isKept ? (states.draft ?? states.live ?? []) : [];
  });
  const three = under(
    viewed(stories, ({ extra: all }): JsonValue => all),
    'integrations',
  );
  const chosen = changedBy(three) === 'live' ? three.live : three.draft;
  if (entries.length === 0 && !Array.isArray(chosen)) return extra;
  return mergedObjects<JsonValue>(extra, { integrations: entries });
}
