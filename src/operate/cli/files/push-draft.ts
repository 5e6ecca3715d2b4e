import { isJsonObject, type JsonObject } from '../../../platform/json.js';
import { type ApiClient, warningsIn } from './api-client.js';
import type { StoryOutcome } from './compare-stories.js';
import { liveStory, type ServerStory } from './server-stories.js';

/** What a draft is given. */
export interface DraftPush {
  target: ServerStory;
  /** The name of the draft; it is made if the story has none of this name. */
  draft: string;
  /** The content, with the guids of the live story. */
  story: JsonObject;
  overwrite: boolean;
  request: boolean;
  message?: string | undefined;
}

/** A draft of this name that others have edited is not overwritten without being asked. */
export async function writeToDraft(
  api: ApiClient,
  push: DraftPush,
): Promise<Pick<StoryOutcome, 'state' | 'draft_id' | 'notes'>> {
  const { target, draft, story, overwrite, request, message } = push;
  const path = `/api/v1/stories/${target.id}`;
  const { body: list } = await api.call(`GET ${path}/drafts?per_page=100`);
  const drafts = Array.isArray(list.drafts) ? list.drafts.filter(isJsonObject) : [];
  const known = drafts.find(({ name }) => name === draft);
  if (known !== undefined && !overwrite && (await isEdited(api, path, known))) {
    const note = `the draft "${draft}" was edited since it was made or pushed: use another name, or --overwrite`;
    return { state: 'refused', draft_id: Number(known.id), notes: [note] };
  }
  const { id } = known ?? (await api.call(`POST ${path}/drafts`, { body: { name: draft } })).body;
  if (typeof id !== 'number') throw new Error("the response is not that of Fabula's API");
  const { etag } = await liveStory(api, id);
  const { body } = await api.call(`PUT ${path}/export?draft_id=${id}`, {
    body: { data: story, ...(message !== undefined && { description: message }) },
    ifMatch: etag,
  });
  const warnings = warningsIn(body);
  if (!request) return { state: 'pushed', draft_id: id, notes: warnings };
  const asked = await requested(api, path, { id, title: message ?? draft });
  return { state: 'pushed', draft_id: id, notes: [asked, ...warnings] };
}

async function isEdited(api: ApiClient, path: string, { id }: JsonObject): Promise<boolean> {
  if (typeof id !== 'number') return false;
  const { body } = await api.call(`GET ${path}/versions?draft_id=${id}&per_page=1`);
  const [newest] = Array.isArray(body.story_versions) ? body.story_versions.filter(isJsonObject) : [];
  return newest !== undefined && newest.source !== 'files' && newest.source !== 'draft';
}

/** Opens a change request, unless the draft has one. Returns what was done. */
async function requested(
  api: ApiClient,
  path: string,
  { id, title }: { id: number; title: string },
): Promise<string> {
  const { body } = await api.call(`GET ${path}/change_request/view?draft_id=${id}`);
  if (body.change_request !== null && body.change_request !== undefined)
    return 'its change request is open already';
  await api.call(`POST ${path}/change_request`, {
    body: { draft_id: id, title: title.split('\n', 1)[0]?.slice(0, 255) ?? title },
  });
  return 'a change request was opened';
}
