import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { mergedObjects } from '../../platform/json/ordered-object.js';
import { exportAlone } from '../export/export.js';
import { AGENT_COLUMNS, LINK_COLUMNS, STORY_COLUMNS, toExtra } from '../export/export-form.js';
import type { StoredStory } from '../export/story-export-store.js';
import { DEFAULT_KEEP_EVENTS_FOR } from '../import/plan/retention.js';
import { createConflictBook, type MergeConflict } from '../merge/conflict-book.js';
import { mergeStory } from '../merge/merge-story.js';
import { mergeValue } from '../merge/merge-value.js';
import { type Side, type Three, UNKNOWN } from '../merge/three-way.js';

/** The states of one story in the export form, with the same guids: what both were made of (undefined: unknown), and both. */
export interface ExportStates {
  base: JsonObject | undefined;
  /** The story on the server. */
  live: JsonObject;
  /** The story in the files. */
  files: JsonObject;
}

/** Settings that a draft does not publish, and files do. */
const OWN_COLUMNS = ['name', 'disabled', 'priority'];

/**
 * Merges what the files and the server have changed, as the publication of a draft does; of `conflicts`, the files' side
 * is in the result unless `take` names the other. Stories that are exported with it stay as the server has them.
 */
export function mergeExports(
  { base, live, files }: ExportStates,
  take?: Side,
): { story: JsonObject; conflicts: MergeConflict[] } {
  const [old, theirs, ours] = [base && storedOf(base), storedOf(live), storedOf(files)];
  const { story, conflicts } = mergeStory({ base: old, live: theirs, draft: ours }, new Map(), take);
  const book = createConflictBook(new Map(), take);
  const columns = OWN_COLUMNS.map((key): [string, JsonValue] => {
    const three: Three = {
      base: old === undefined ? UNKNOWN : old.columns[key],
      live: theirs.columns[key],
      draft: ours.columns[key],
    };
    return [key, mergeValue(three, { kind: 'setting', action: null, path: key, part: '' }, book) ?? null];
  });
  const merged = exportAlone({ ...story, columns: { ...story.columns, ...Object.fromEntries(columns) } });
  return { story: withEmbedded(merged, live, files), conflicts: [...conflicts, ...book.open()] };
}

/** Returns the parts of an export as they would be stored; ids are positions from 1. */
function storedOf(story: JsonObject): StoredStory {
  const { agents, links } = story;
  return {
    id: 1,
    columns: {
      schema_version: story.schema_version ?? 0,
      name: story.name ?? '',
      description: story.description ?? null,
      guid: story.guid ?? '',
      keep_events_for: story.keep_events_for ?? DEFAULT_KEEP_EVENTS_FOR,
      disabled: story.disabled === true,
      priority: story.priority === true,
      synchronous_webhooks_enabled: story.synchronous_webhooks_enabled === true,
    },
    extra: toExtra(withoutEmbedded(story), STORY_COLUMNS, ['guid']),
    agents: objectsIn(agents).map((agent, index) => ({
      id: index + 1,
      columns: {
        type: agent.type ?? '',
        name: agent.name ?? '',
        guid: agent.guid ?? '',
        disabled: agent.disabled === true,
        options: agent.options ?? {},
        keep_events_for: agent.keep_events_for ?? 0,
      },
      extra: toExtra(agent, AGENT_COLUMNS, ['guid']),
    })),
    links: objectsIn(links).map((link) => ({
      sourceId: Number(link.source) + 1,
      receiverId: Number(link.receiver) + 1,
      linkType: typeof link.link_type === 'string' ? link.link_type : null,
      extra: toExtra(link, LINK_COLUMNS),
    })),
  };
}

function objectsIn(list: JsonValue | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function withoutEmbedded(story: JsonObject): JsonObject {
  return Array.isArray(story.send_to_stories)
    ? mergedObjects<JsonValue>(story, { send_to_stories: [] })
    : story;
}

/** Those of the server, without what the files have left out, and with what they have added. */
function withEmbedded(merged: JsonObject, live: JsonObject, files: JsonObject): JsonObject {
  const [theirs, ours] = [objectsIn(live.send_to_stories), objectsIn(files.send_to_stories)];
  if (theirs.length + ours.length === 0) return merged;
  const names = new Set(ours.map(({ name }) => name));
  const known = new Set(theirs.map(({ name }) => name));
  const list = [
    ...theirs.filter(({ name }) => names.has(name)),
    ...ours.filter(({ name }) => !known.has(name)),
  ];
  return mergedObjects<JsonValue>(merged, { send_to_stories: list });
}
