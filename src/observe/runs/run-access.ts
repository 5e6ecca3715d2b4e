import { type Actor, type RequiredRight, requireTeam } from '../../api/face.js';
import type { Session } from '../../platform/mysql/session.js';
import { NotFound } from '../../platform/errors.js';
import type { EventRecord } from '../events/event.js';
import { findEventRecord } from '../events/event-view-store.js';
import { findAgentPlace, type RunStory } from './run-place-store.js';

/** Returns the event if the actor may do this with it. @throws NotFound, or Forbidden if the role is too weak. */
export async function visibleEvent(
  session: Session,
  actor: Actor,
  { id, need }: { id: number; need: RequiredRight },
): Promise<EventRecord> {
  const event = await findEventRecord(session, { id, tenantId: actor.tenantId });
  if (event === undefined) throw new NotFound('Event');
  requireTeam(actor, event.teamId, need, 'Event');
  return event;
}

/** Returns story and team of an agent that the actor may see, or change. @throws NotFound, Forbidden. */
export async function visibleRunAgent(
  session: Session,
  actor: Actor,
  id: number,
  need: RequiredRight = 'read',
): Promise<RunStory> {
  const place = await findAgentPlace(session, { id, tenantId: actor.tenantId });
  if (place === undefined) throw new NotFound('Action');
  requireTeam(actor, place.teamId, need, 'Action');
  return place;
}
