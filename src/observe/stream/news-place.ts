import type { StoryOwner } from '../../stories/face.js';

/** Whose a piece of news is. */
export interface NewsPlace extends Omit<StoryOwner, 'teamId'> {
  /** Undefined for what belongs to the whole tenant, such as its audit log. */
  teamId: number | undefined;
}
