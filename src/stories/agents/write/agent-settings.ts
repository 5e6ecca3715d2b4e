import type { Actor } from '../../../api/face.js';
import type { CountQuota } from '../../../people/face.js';
import { Unprocessable } from '../../../platform/errors.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import type { JsonObject, JsonValue } from '../../../platform/json.js';
import { mergedObjects } from '../../../platform/json/ordered-object.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { AgentTypes } from '../../import/check-export.js';
import { writeAgentSchedules } from '../../schedules/schedule-sync.js';
import { findExtra, updateStory } from '../../edit/story-change-store.js';
import { LIMITS } from '../../import/import-limits.js';
import { withActionInputs } from '../mentions/action-inputs.js';
import type { ExtraSettings } from './agent-extra.js';
import type { RequestedLinks } from './agent-links.js';
import { type Position, withPositions } from './layout.js';

/** The fields of an action that a request sets; undefined fields stay. */
export interface AgentSettings extends ExtraSettings {
  name?: string | undefined;
  disabled?: boolean | undefined;
  options?: JsonObject | undefined;
  keepEventsForSeconds?: number | undefined;
  /** null: on no place of the board. */
  position?: Position | null | undefined;
  /** Its template inputs, as exports keep them; null: none. */
  inputs?: readonly JsonValue[] | null | undefined;
  links: RequestedLinks;
  /** The type and the story that the action must have already: neither can change. */
  is: { storyId?: number | undefined; type?: string | undefined };
  /** The draft that is meant instead of the story. */
  draftId?: number | null | undefined;
}

/** The dependencies of changes of single actions. */
export interface AgentDeps {
  agentTypes: Pick<AgentTypes, 'checkOptions'>;
  countQuota: CountQuota;
}

/** Sets the place of an action on the board of its story, which is locked. */
export async function placeAgent(
  { storyId, guid }: { storyId: number; guid: string },
  position: Position | null | undefined,
  session: Session,
): Promise<void> {
  if (position === undefined) return;
  const extra = await findExtra(storyId, session);
  const layout = withPositions(extra.diagram_layout, new Map([[guid, position]]));
  if (layout === undefined || layout === extra.diagram_layout) return;
  await updateStory(storyId, { extra: mergedObjects(extra, { diagram_layout: layout }) }, session);
}

/** Sets the template inputs of an action whose story is locked. @throws Unprocessable if they have too many bytes. */
export async function writeInputs(
  { storyId, guid }: { storyId: number; guid: string },
  inputs: AgentSettings['inputs'],
  session: Session,
): Promise<void> {
  if (inputs === undefined) return;
  const before = await findExtra(storyId, session);
  const extra = withActionInputs(before, new Map([[guid, inputs]]));
  if (extra === before) return;
  if (Buffer.byteLength(stringifyJson(extra)) > LIMITS.rowBytes) {
    const message = `The template inputs, notes and positions of a story can have at most ${LIMITS.rowBytes} bytes`;
    throw new Unprocessable([{ message, details: 'action_inputs' }]);
  }
  await updateStory(storyId, { extra }, session);
}

/** Sets the schedule of an action. @throws QuotaReached for more schedules than the tenant may have. */
export async function scheduleAgent(
  agent: { id: number; storyId: number; type: string },
  schedule: JsonValue | undefined,
  { actor, countQuota }: Pick<AgentDeps, 'countQuota'> & { actor: Pick<Actor, 'tenantId'> },
  session: Session,
): Promise<void> {
  if (schedule === undefined) return;
  await countQuota.within(actor.tenantId, session, () => writeAgentSchedules(agent, schedule, session));
}
