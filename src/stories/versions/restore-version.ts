import type { JsonObject, JsonValue } from '../../platform/json.js';
import type { Session } from '../../platform/mysql/session.js';
import { inSlices } from '../../platform/steps.js';
import { exportSteps } from '../export/export.js';
import type { StoryExport } from '../export/export-form.js';
import { givenAddress, WEBHOOK_TYPE } from '../import/import-address.js';
import { givenGuid } from '../import/plan/given-guid.js';
import { planStory } from '../import/plan/plan-story.js';
import type { AgentPlan, StoryPlan } from '../import/plan/story-plan.js';
import type { StoredStory } from '../export/story-export-store.js';
import { findTakenGuids, findTakenWebhookPaths, lockReplacedStory } from '../import/story-import-store.js';
import type { StoryRecord } from '../story/story-store.js';
import { clearStory, writeStory } from '../story/story-write-store.js';

/**
 * Replaces the story's actions, links, notes and settings by those of an earlier state, in the caller's transaction. What
 * continues keeps its id and its webhook address (as an import with versionReplace, spec §3.3); a deleted action comes
 * back under its guid, with a new id. The story keeps its name and priority, and stays enabled or disabled. Returns
 * warnings.
 */
export async function restoreState(
  { story, tenantId }: { story: StoryRecord; tenantId: number },
  earlier: StoredStory,
  session: Session,
): Promise<string[]> {
  const { plan, warnings } = await planRestore(story, earlier, session);
  await clearStory(story.id, session);
  const { teamId, userId } = story;
  await writeStory(plan, { tenantId, teamId, userId, folderId: undefined }, session);
  return warnings;
}

async function planRestore(story: StoryRecord, earlier: StoredStory, session: Session) {
  const replaced = await lockReplacedStory(story.id, session);
  const data = (await inSlices(exportSteps(earlier))) as StoryExport;
  const warnings: string[] = [];
  const guids = data.agents.flatMap(({ guid }) => (typeof guid === 'string' ? [guid] : []));
  const taken = await findTakenGuids(guids, session);
  const { send_to_stories: embedded } = earlier.extra;
  const subStories: JsonValue[] = Array.isArray(embedded) ? embedded : [];
  const plan = await planStory(
    data,
    { name: story.name, replaced, subStories },
    {
      newGuid: givenGuid(taken),
      taken: await findTakenWebhookPaths(pathsOf(data), story.id, session),
      warnings,
    },
  );
  return { plan: kept(plan, earlier), warnings };
}

/** A plan takes the guids in the given export for those that story and agents came with; a state knows the true ones. */
function kept(plan: StoryPlan, earlier: StoredStory): StoryPlan {
  const withOrigin = (agent: AgentPlan, index: number): AgentPlan => ({
    ...agent,
    extra: withGuid(agent.extra, earlier.agents[index]?.extra.guid),
  });
  return {
    ...plan,
    disabled: undefined,
    priority: undefined,
    extra: withGuid(plan.extra, earlier.extra.guid),
    agents: plan.agents.map(withOrigin),
  };
}

/** Returns the export's keys with this guid; undefined: without one. */
export function withGuid(extra: JsonObject, guid: JsonValue | undefined): JsonObject {
  const { guid: _guid, ...rest } = extra;
  return guid === undefined ? rest : { ...extra, guid };
}

function pathsOf({ agents }: StoryExport): string[] {
  return agents
    .filter(({ type }) => type === WEBHOOK_TYPE)
    .flatMap(({ options }) => givenAddress(options).path ?? []);
}
