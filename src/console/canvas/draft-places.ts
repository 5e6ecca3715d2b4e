import type { Place, StoryDraft } from '../story-model/story-draft.js';
import { placesInDraft } from './canvas-layout.js';

/**
 * Returns what finds the place of each action of a draft. Ranks cost much, and only links and places decide them: a change of
 * options is no reason to find them again.
 */
export function createDraftPlaces() {
  let last: { links: unknown; positions: unknown[]; places: Map<string, Place> } | undefined;
  return (draft: StoryDraft): Map<string, Place> => {
    const positions = [...draft.actions].flatMap(([key, { position }]) => [key, position ?? null]);
    const isSame =
      last?.links === draft.links &&
      last.positions.length === positions.length &&
      positions.every((value, at) => value === last?.positions[at]);
    if (!isSame || last === undefined) last = { links: draft.links, positions, places: placesInDraft(draft) };
    return last.places;
  };
}
