import type { Action } from '../../../../../../clients/typescript/api.js';
import type { Place } from '../../story-data.js';
import { untestedSentences } from '../model/coverage-marks.js';
import { useKnownResults } from '../tests-data.js';

interface CoverageNoteProps {
  actionId: number;
  actions: readonly Action[];
  place: Place;
}

/** The parts of an action that no test reaches; nothing before the tests ran on this page. */
export function CoverageNote({ actionId, actions, place }: CoverageNoteProps) {
  const known = useKnownResults(place);
  if (known?.coverage === undefined) return null;
  return untestedSentences(known.coverage, actions, actionId).map((sentence) => (
    <p key={sentence} className="warn wrap">
      {sentence}
    </p>
  ));
}
