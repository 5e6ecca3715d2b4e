import { type Actor, requireTeam } from '../../api/face.js';
import { NotFound } from '../../platform/errors.js';
import type { Session } from '../../platform/mysql/session.js';
import { findStory, type StoryRecord } from './story-store.js';

/** Returns the story if the actor may see it. @throws NotFound, or Forbidden if the actor's role is too weak. */
export async function visibleStory(
  actor: Actor,
  id: number,
  need: 'read' | 'write',
  session: Session,
): Promise<StoryRecord> {
  const story = await findStory(id, actor.tenantId, session);
  if (story === undefined) throw new NotFound('Story');
  requireTeam(actor, story.teamId, need, 'Story');
  return story;
}
