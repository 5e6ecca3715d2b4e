import type { ActiveStory } from '../../../../../clients/typescript/api.js';
import type { Place } from '../story-data.js';

/** The story of a tab; `draftId` of the place: the draft that is chosen. */
export interface TabProps {
  story: ActiveStory;
  place: Place;
}
