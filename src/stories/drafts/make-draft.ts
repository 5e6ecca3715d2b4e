import { randomBytes } from 'node:crypto';
import { Conflict, Unprocessable } from '../../platform/errors.js';
import type { JsonValue } from '../../platform/json.js';
import type { Session } from '../../platform/mysql/session.js';
import { inSlices } from '../../platform/steps.js';
import { exportSteps } from '../export/export.js';
import type { ExportAgent, StoryExport } from '../export/export-form.js';
import { WEBHOOK_TYPE } from '../import/import-address.js';
import { planStory } from '../import/plan/plan-story.js';
import type { StoryPlan } from '../import/plan/story-plan.js';
import { findStoredStory } from '../export/story-export-store.js';
import type { StoryRecord } from '../story/story-store.js';
import { writeStory } from '../story/story-write-store.js';
import { keepVersion } from '../versions/keep-version.js';
import { copyGuid } from './copy-guid.js';
import { saveDraftBase } from './draft-base-store.js';
import { findDraftIds } from './draft-store.js';

/** Drafts that a story may have at once. */
const MOST_DRAFTS = 20;

/** The maker of a draft, and its name. */
export interface NewDraft {
  tenantId: number;
  userId: number;
  name: string;
}

/** Makes a draft of a story, which the caller has locked; returns its id. @throws as `writeDraft`. */
export async function copyToDraft(live: StoryRecord, draft: NewDraft, session: Session): Promise<number> {
  const stored = await findStoredStory(live.guid, live.teamId, session);
  if (stored === undefined) throw new Error(`Story ${live.id} is missing under its lock`);
  const data = (await inSlices(exportSteps(stored))) as StoryExport;
  return writeDraft(live, { ...draft, data }, session);
}

/**
 * Writes a story in the export form as a draft of `live`, which the caller has locked; returns its id. Its webhooks get
 * addresses of their own. Its actions remember the guids in `data`, and it keeps the present state of `live`.
 * @throws Unprocessable if `live` is a draft itself; Conflict for more drafts than a story may have.
 */
export async function writeDraft(
  live: StoryRecord,
  { data, name, tenantId, userId }: NewDraft & { data: StoryExport },
  session: Session,
): Promise<number> {
  if (live.draftOf !== null)
    throw new Unprocessable([{ message: 'A draft cannot have drafts', details: 'id' }]);
  if ((await findDraftIds(live.id, session)).length >= MOST_DRAFTS) {
    throw new Conflict(`The story already has ${MOST_DRAFTS} drafts; delete or publish one first`);
  }
  const home = { tenantId, userId, teamId: live.teamId, folderId: undefined, draft: { of: live.id, name } };
  const storyId = await writeStory(await planDraft(data, live.name), home, session);
  await saveDraftBase({ id: storyId, storyId: live.id }, session);
  await keepVersion({ storyId, userId, source: 'draft' }, session);
  return storyId;
}

async function planDraft(data: StoryExport, name: string): Promise<StoryPlan> {
  const embedded: JsonValue[] = Array.isArray(data.send_to_stories) ? data.send_to_stories : [];
  const copy = { ...data, agents: data.agents.map(withoutAddress) };
  const guid = randomGuid();
  const plan = await planStory(
    copy,
    { name, replaced: undefined, subStories: embedded },
    { newGuid: copyGuids(guid), taken: new Set(), warnings: [] },
  );
  return { ...plan, guid, disabled: false, priority: false };
}

const randomGuid = () => randomBytes(16).toString('hex');

/** Returns what gives an action of a draft its guid. An export may have the same guid twice: the second is a copy of nothing. */
export function copyGuids(draftGuid: string): (agent?: ExportAgent) => string {
  const given = new Set<unknown>();
  return (agent) => {
    if (typeof agent?.guid !== 'string' || given.has(agent.guid)) return randomGuid();
    given.add(agent.guid);
    return copyGuid(draftGuid, agent.guid);
  };
}

/** Returns an action of an export without its webhook address. Blank values count as absent, and keep their places. */
export function withoutAddress(agent: ExportAgent): ExportAgent {
  if (agent.type !== WEBHOOK_TYPE) return agent;
  return { ...agent, options: { ...agent.options, path: '', secret: '' } };
}
