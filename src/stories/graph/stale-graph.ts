import { PreconditionFailed, type Problem } from '../../platform/errors.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { firstProblems } from '../../platform/validation/validate.js';
import { describePlace, describeValue } from '../diff/describe-value.js';
import type { StoryDifference } from '../diff/story-diff.js';
import type { DiffOrder } from '../diff/story-diff-task.js';
import type { StoryDiff } from '../diff/story-differ.js';
import { etagOf } from '../edit/story-version.js';
import { mergedObjects } from '../../platform/json/ordered-object.js';
import { mapSteps, type Steps } from '../../platform/steps.js';
import { snapshotText } from '../versions/version-snapshot.js';
import type { StoryPlan } from '../import/plan/story-plan.js';

/** The story has another version than the client expected. */
export class StaleGraph extends Error {
  constructor(
    readonly version: number,
    /** The state that is stored and the one that the request asks for, as texts of snapshots. */
    readonly texts: { stored: string; wanted: string },
    /** The header or key that named another version. */
    readonly by: 'If-Match' | 'version',
  ) {
    super(`The story has version ${version}`);
    this.name = 'StaleGraph';
  }
}

/** Returns the snapshot that the story would have with this plan; `storyText` is that of its present one. */
export function* wantedSnapshot(storyText: string, plan: StoryPlan): Steps<string> {
  const story = mergedObjects(parseJson(storyText) as JsonObject, { extra: plan.extra });
  const ids = new Map(plan.agents.map(({ guid }, index) => [guid, index + 1]));
  const agentTexts = yield* mapSteps(plan.agents, (agent, index) =>
    stringifyJson({
      id: index + 1,
      type: agent.type,
      name: agent.name,
      guid: agent.guid,
      disabled: agent.disabled ? 1 : 0,
      options: agent.options,
      keep_events_for: agent.keepEventsForSeconds,
      extra: agent.extra,
    }),
  );
  const linkTexts = yield* mapSteps(plan.links, (link) =>
    stringifyJson({
      sourceId: ids.get(link.sourceGuid) ?? 0,
      receiverId: ids.get(link.receiverGuid) ?? 0,
      linkType: link.linkType ?? null,
      extra: link.extra,
    }),
  );
  return snapshotText({ storyText: stringifyJson(story), agentTexts, linkTexts });
}

/** Returns the error that says what the request would undo. */
export async function staleGraphProblems(
  { version, texts, by }: StaleGraph,
  diff: (order: DiffOrder) => Promise<StoryDiff>,
): Promise<PreconditionFailed> {
  const order = { before: texts.stored, after: texts.wanted, hideSecrets: false };
  const { differences } = await diff(order);
  const message = `The current version of the story is ${version}, which does not match "${by}"; these parts differ from the request`;
  return new PreconditionFailed(firstProblems([{ message, details: by }, ...differences.map(problemOf)]), {
    headers: { ETag: etagOf(version) },
  });
}

function problemOf({ kind, change, action, path, before, after }: StoryDifference): Problem {
  return {
    message: `${describePlace({ kind, action, path })}: ${changeText(change, before, after)}`,
    ...(path !== null && { details: path }),
  };
}

function changeText(change: StoryDifference['change'], before: JsonValue, after: JsonValue): string {
  if (change === 'added') return `the story does not have ${describeValue(after)}`;
  if (change === 'removed') return `the request does not have ${describeValue(before)}`;
  return `the story has ${describeValue(before)}, the request ${describeValue(after)}`;
}
