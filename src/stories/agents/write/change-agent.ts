import type { Actor } from '../../../api/face.js';
import { type Problem, Unprocessable } from '../../../platform/errors.js';
import type { JsonObject } from '../../../platform/json.js';
import type { Session } from '../../../platform/mysql/session.js';
import { firstProblems } from '../../../platform/validation/validate.js';
import { type AgentRecord, findAgentTypes, updateAgent } from '../agent-store.js';
import { givenAddress, WEBHOOK_TYPE } from '../../import/import-address.js';
import { withSettings } from './agent-extra.js';
import { linkProblems, settleLinks } from './agent-links.js';
import { renameInTests } from '../../tests/rename-in-tests.js';
import { pathTaken, settingProblems, type TypedSettings, webhookPathOf } from '../agent-problems.js';
import {
  type AgentDeps,
  type AgentSettings,
  placeAgent,
  scheduleAgent,
  writeInputs,
} from './agent-settings.js';

/** Changes the given settings of an agent whose story is locked. @throws Unprocessable, Conflict, QuotaReached. */
export async function changeAgent(
  { actor, before }: { actor: Actor; before: AgentRecord },
  change: AgentSettings,
  deps: AgentDeps,
  session: Session,
): Promise<void> {
  const { id, storyId, type, guid } = before;
  const { types, names } = await findAgentTypes(storyId, session);
  const problems = [...changeProblems(before, change, deps), ...linkProblems(change.links, before, types)];
  if (problems.length > 0) throw new Unprocessable(firstProblems(problems));
  const options = change.options && withAddress(before, change.options);
  const webhookPath = options === undefined ? undefined : webhookPathOf(type, options);
  const { name, disabled, keepEventsForSeconds } = change;
  const extra = withSettings(before.extra, change);
  const columns = { name, disabled, keepEventsForSeconds, options, webhookPath, extra };
  await updateAgent(id, columns, session).catch(pathTaken(webhookPath));
  if (name !== undefined && name !== before.name) {
    const kept = [...names].filter(([other]) => other !== id).map(([, each]) => each);
    await renameInTests(storyId, { renames: [{ from: before.name, to: name }], kept }, session);
  }
  const tooMany = await settleLinks({ storyId, agentId: id }, change.links, session);
  if (tooMany.length > 0) throw new Unprocessable(tooMany);
  await placeAgent({ storyId, guid }, change.position, session);
  await writeInputs({ storyId, guid }, change.inputs, session);
  await scheduleAgent(before, change.schedule, { ...deps, actor }, session);
}

/** Returns the faults of a change that its links do not cause. */
export function changeProblems(
  { type, storyId, draftOf }: Pick<AgentRecord, 'type' | 'storyId' | 'draftOf'>,
  change: TypedSettings & Pick<AgentSettings, 'is'>,
  { agentTypes }: Pick<AgentDeps, 'agentTypes'>,
): Problem[] {
  const { is } = change;
  const moves = is.storyId !== undefined && is.storyId !== storyId && is.storyId !== draftOf;
  const turns = is.type !== undefined && is.type !== type;
  return [
    ...(moves
      ? [{ message: `"story_id" is not the story of the action, ${storyId}`, details: 'story_id' }]
      : []),
    ...(turns ? [{ message: `"type" is not the type of the action, ${type}`, details: 'type' }] : []),
    ...settingProblems(type, change, agentTypes),
  ];
}

/** A webhook always has a path and a secret: the old ones stay unless the new options set them. */
function withAddress({ type, options: old }: AgentRecord, options: JsonObject): JsonObject {
  if (type !== WEBHOOK_TYPE) return options;
  const before = givenAddress(old);
  const { path = before.path, secret = before.secret } = givenAddress(options);
  return { ...options, ...(path !== undefined && { path }), ...(secret !== undefined && { secret }) };
}
