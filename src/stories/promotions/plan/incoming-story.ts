import { stringifyJson } from '../../../platform/json/exact-number.js';
import { inSlices } from '../../../platform/steps.js';
import type { ExportAgent, StoryExport } from '../../export/export-form.js';
import type { StoryRows } from '../../export/story-export-store.js';
import { planStory } from '../../import/plan/plan-story.js';
import type { AgentPlan, StoryPlan } from '../../import/plan/story-plan.js';
import { snapshotOf } from '../../versions/version-snapshot.js';

/** Returns a story in the export form as the text of a snapshot. Its actions have the guids that they have in the form. */
export async function incomingSnapshot(story: StoryExport): Promise<string> {
  const target = { name: story.name, replaced: undefined, subStories: [] };
  const plan = await planStory(story, target, { newGuid: guidOf, taken: new Set(), warnings: [] });
  const { text } = await inSlices(snapshotOf(rowsOf(plan)));
  return text;
}

function guidOf(agent?: ExportAgent): string {
  return typeof agent?.guid === 'string' ? agent.guid : '';
}

/** The rows that the plan would make. The ids only tell the ends of links. */
function rowsOf(plan: StoryPlan): StoryRows {
  const ids = new Map(plan.agents.map(({ guid }, index) => [guid, index + 1]));
  return {
    story: {
      id: 0,
      name: plan.name,
      description: plan.description ?? null,
      guid: plan.guid,
      schema_version: plan.schemaVersion,
      keep_events_for: plan.keepEventsForSeconds,
      disabled: plan.disabled === true ? 1 : 0,
      priority: plan.priority === true ? 1 : 0,
      synchronous_webhooks_enabled: plan.synchronousWebhooksEnabled ? 1 : 0,
      extra: stringifyJson(plan.extra),
    },
    agents: plan.agents.map(agentRow),
    links: plan.links.map(({ sourceGuid, receiverGuid, linkType, extra }) => ({
      sourceId: ids.get(sourceGuid) ?? 0,
      receiverId: ids.get(receiverGuid) ?? 0,
      linkType: linkType ?? null,
      extra: stringifyJson(extra),
    })),
  };
}

function agentRow(agent: AgentPlan, index: number): StoryRows['agents'][number] {
  return {
    id: index + 1,
    type: agent.type,
    name: agent.name,
    guid: agent.guid,
    disabled: agent.disabled ? 1 : 0,
    options: stringifyJson(agent.options),
    keep_events_for: agent.keepEventsForSeconds,
    extra: stringifyJson(agent.extra),
  };
}
