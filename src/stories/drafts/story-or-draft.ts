import type { Actor } from '../../api/face.js';
import { NotFound } from '../../platform/errors.js';
import type { Session } from '../../platform/mysql/session.js';
import type { StoryRecord } from '../story/story-store.js';
import { visibleStory } from '../story/visible-story.js';

/** A story, or one of its drafts: a draft is a story whose id is the `draft_id` (spec §3.17). */
export interface StoryOrDraft {
  storyId: number;
  /** undefined or null: the story itself. */
  draftId?: number | null | undefined;
}

/**
 * Returns the story, or its draft. The draft may be named as the story too, as its responses do.
 * @throws NotFound for a draft of another story; as `visibleStory`.
 */
export async function storyOrDraft(
  actor: Actor,
  { storyId, draftId }: StoryOrDraft,
  need: 'read' | 'write',
  session: Session,
): Promise<StoryRecord> {
  const story = await visibleStory(actor, storyId, need, session);
  if (draftId === undefined || draftId === null || draftId === storyId) return story;
  const draft = await visibleStory(actor, draftId, need, session).catch((error: unknown) => {
    throw error instanceof NotFound ? new NotFound('Draft') : error;
  });
  if (draft.draftOf !== storyId) throw new NotFound('Draft');
  return draft;
}
