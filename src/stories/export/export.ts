import type { Session } from '../../platform/mysql/session.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { atOnce, inSlices, mapSteps, type Steps } from '../../platform/steps.js';
import { fromExtra } from './export-form.js';
import { DEFAULT_KEEP_EVENTS_FOR } from '../import/plan/retention.js';
import { withOriginGuids } from '../files/portable-story.js';
import { findStoredStory, type StoredStory } from './story-export-store.js';
import { timestamp } from '../../platform/time/timestamp.js';

/** Columns with these values are left out if the import did not have them. */
const STORY_DEFAULTS: JsonObject = {
  description: null,
  keep_events_for: DEFAULT_KEEP_EVENTS_FOR,
  disabled: false,
  priority: false,
  synchronous_webhooks_enabled: false,
};
/** Columns of an action with these values are left out as well. */
export const AGENT_DEFAULTS: JsonObject = { disabled: false, keep_events_for: 0 };
const LINK_DEFAULTS: JsonObject = { link_type: null };

/**
 * Returns the story in the export form (spec §3.4), with the current versions of the stories that were imported with
 * it. Importing it gives the same story (spec §3.4). Returns undefined if the story is deleted. `forFiles`: with the guids
 * that things came with.
 */
export async function exportStory(
  { guid, teamId, forFiles = false }: { guid: string; teamId: number; forFiles?: boolean },
  now: Date,
  session: Session,
): Promise<JsonObject | undefined> {
  return exportOnce(guid, { teamId, forFiles, exportedAt: timestamp(now), seen: new Set() }, session);
}

interface ExportContext {
  teamId: number;
  forFiles: boolean;
  exportedAt: string;
  /** Guids of the enclosing stories: an export never contains itself. */
  seen: ReadonlySet<string>;
}

async function exportOnce(
  guid: string,
  context: ExportContext,
  session: Session,
): Promise<JsonObject | undefined> {
  if (context.seen.has(guid)) return undefined;
  const story = await findStoredStory(guid, context.teamId, session);
  if (story === undefined) return undefined;
  return exportWhole(story, { ...context, seen: new Set([...context.seen, guid]) }, session);
}

/** Returns an earlier state of the story in the export form, with the current versions of its embedded stories. */
export function exportEarlier(
  story: StoredStory,
  { guid, teamId, at, forFiles = false }: { guid: string; teamId: number; at: Date; forFiles?: boolean },
  session: Session,
): Promise<JsonObject> {
  return exportWhole(story, { teamId, forFiles, exportedAt: timestamp(at), seen: new Set([guid]) }, session);
}

async function exportWhole(
  story: StoredStory,
  context: ExportContext,
  session: Session,
): Promise<JsonObject> {
  const { send_to_stories: embedded } = story.extra;
  const columns: JsonObject = { exported_at: context.exportedAt };
  if (Array.isArray(embedded)) columns.send_to_stories = await subStoriesOf(embedded, context, session);
  const exported = await inSlices(exportSteps(story, columns));
  return context.forFiles ? withOriginGuids(exported, story) : exported;
}

/** Returns the story in the export form, at once; its embedded stories are as stored. */
export function exportAlone(story: StoredStory): JsonObject {
  return atOnce(exportSteps(story));
}

/** Returns the story in the export form; its embedded stories are as stored, unless `more` has them. */
export function* exportSteps(story: StoredStory, more: JsonObject = {}): Steps<JsonObject> {
  const agents = yield* mapSteps(story.agents, ({ extra, columns }) =>
    fromExtra(extra, columns, AGENT_DEFAULTS),
  );
  const columns: JsonObject = { ...story.columns, agents, links: yield* linksOf(story), ...more };
  return fromExtra(story.extra, columns, STORY_DEFAULTS);
}

function* linksOf({ agents, links }: StoredStory): Steps<JsonObject[]> {
  const positions = new Map(agents.map(({ id }, position) => [id, position]));
  const forms = yield* mapSteps(links, ({ sourceId, receiverId, linkType, extra }) => {
    const source = positions.get(sourceId);
    const receiver = positions.get(receiverId);
    if (source === undefined || receiver === undefined) return undefined;
    return fromExtra(extra, { source, receiver, link_type: linkType }, LINK_DEFAULTS);
  });
  return forms.filter((form) => form !== undefined);
}

async function subStoriesOf(
  stored: JsonValue[],
  context: ExportContext,
  session: Session,
): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  for (const entry of stored.filter(isJsonObject)) {
    const { imported_as: reference } = entry;
    const story =
      typeof reference === 'string' && !Object.hasOwn(entry, 'agents')
        ? await exportOnce(reference, context, session)
        : entry;
    if (story !== undefined) found.push(story);
  }
  return found;
}
