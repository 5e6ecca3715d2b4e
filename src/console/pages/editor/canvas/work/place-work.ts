import { tidied } from '../../../../canvas/canvas-layout.js';
import type { Direction } from '../../../../canvas/neighbours.js';
import { GRID } from '../../../../canvas/nodes/sizes.js';
import { arrange, type Arrangement, asPlaces } from '../../../../story-model/commands/arrange-commands.js';
import { move, tidy } from '../../../../story-model/commands/selection-commands.js';
import type { Place } from '../../../../story-model/story-draft.js';
import type { WorkBase } from './work-base.js';

const DELTAS: Record<Direction, Place> = {
  up: { x: 0, y: -GRID },
  down: { x: 0, y: GRID },
  left: { x: -GRID, y: 0 },
  right: { x: GRID, y: 0 },
};

/** Returns what moves parts. */
export function createPlaceWork({
  draft,
  boxes,
  boxesOf,
  targets,
  placedTargets,
  runPlaced,
  screen,
}: WorkBase) {
  function nudge(way: Direction, steps: number) {
    const by = DELTAS[way];
    const places = [...boxesOf(placedTargets())].map(([key, { x, y }]): [string, Place] => [
      key,
      { x: x + by.x * steps, y: y + by.y * steps },
    ]);
    if (places.length > 0) runPlaced(move(asPlaces(draft(), new Map(places))));
  }

  function tidyUp() {
    const { actions } = targets();
    const chosen = actions.length > 1 ? actions : [...draft().actions.keys()];
    const places = tidied(draft(), boxes(), chosen);
    if (places.size > 0) runPlaced(tidy(places));
    if (actions.length < 2) screen?.fit();
  }

  return {
    nudge,
    arrange: (how: Arrangement) => runPlaced(arrange(boxesOf(placedTargets()), how)),
    tidy: tidyUp,
  };
}
