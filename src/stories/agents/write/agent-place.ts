import { type Actor, requireTeam } from '../../../api/face.js';
import { NotFound } from '../../../platform/errors.js';
import type { Session } from '../../../platform/mysql/session.js';
import { type AgentRecord, findAgent, findCopiedAgent } from '../agent-store.js';
import { storyOrDraft } from '../../drafts/story-or-draft.js';

/** An agent, or its copy in a draft of its story. */
export interface AgentPlace {
  id: number;
  /** undefined or null: the agent itself. */
  draftId?: number | null | undefined;
  /** Its name in a 404: `Webhook`; absent: `Action`. */
  what?: string | undefined;
}

/**
 * Returns the agent; with a draft, the agent of the draft that has this id, or that is the copy of the one that has it.
 * In a draft that was imported, the copy is the one that came from the same action of the export.
 * @throws NotFound, or Forbidden if the actor's role is too weak.
 */
export async function visibleStoryAgent(
  actor: Actor,
  { id, draftId, what = 'Action' }: AgentPlace,
  need: 'read' | 'write',
  session: Session,
): Promise<AgentRecord> {
  const agent = await findAgent(id, actor.tenantId, session);
  if (agent === undefined) throw new NotFound(what);
  requireTeam(actor, agent.teamId, need, what);
  if (draftId === undefined || draftId === null || draftId === agent.storyId) return agent;
  const draft = await storyOrDraft(actor, { storyId: agent.storyId, draftId }, need, session);
  const copy = await findCopiedAgent(draft.id, agent, session);
  if (copy === undefined) throw new NotFound(what);
  return visibleStoryAgent(actor, { id: copy }, need, session);
}
