import type { StoryOwner } from '../../stories/face.js';

/** Tenant, team and story of a live event. */
export interface LiveEventScope extends Omit<StoryOwner, 'teamId'> {
  /** Undefined for what belongs to the whole tenant, such as its audit log. */
  teamId: number | undefined;
}
