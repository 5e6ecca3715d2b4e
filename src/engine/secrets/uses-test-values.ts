import type { StoryGraph } from '../../stories/face.js';

/** Whether templates of a story see the test values of resources and credentials: only drafts of a story do. */
export function usesTestValues(
  story: Pick<StoryGraph, 'id'> & { draftOf?: number | null | undefined },
): boolean {
  return typeof story.draftOf === 'number';
}
