import { Button } from '../../ui/form/button.js';
import { countWords, nounWords } from '../../ui/words/figures.js';
import { EVENTS_OF_RUN } from './event-data.js';
import { MOST_AT_A_TIME, type OlderSearch } from './use-older-events.js';

interface OlderSearchLineProps {
  search: OlderSearch;
  onStart: () => void;
  onStop: () => void;
}

/** Tells which events of the found runs were not compared yet, and searches them when that is wanted. */
export function OlderSearchLine({ search, onStart, onStop }: OlderSearchLineProps) {
  const { isBusy, faults, compared, of, isOver } = search;
  return (
    <>
      <div className="older-events">
        <span role="status" className="faint">
          {wordsOf(search)}
        </span>
        {(isBusy || compared > 0) && (
          <progress max={of} value={isOver ? of : compared} aria-label="Older events compared" />
        )}
        {isBusy && <Button onClick={onStop}>Stop</Button>}
        {!isBusy && !isOver && (
          <Button title={`Up to ${countWords(MOST_AT_A_TIME)} at a time`} onClick={onStart}>
            Search older events
          </Button>
        )}
      </div>
      {faults.map((fault) => (
        <p key={fault} className="bad wrap">
          {fault}
        </p>
      ))}
    </>
  );
}

function wordsOf({ compared, of, isOver, found }: OlderSearch): string {
  const has = `${nounWords(found.filter(({ incomplete }) => !incomplete).length, 'older event')} found`;
  if (isOver) return `Compared all older events of these runs: ${has}.`;
  if (compared > 0) return `Compared ${countWords(compared)} of ${countWords(of)} older events: ${has}.`;
  return `Up to ${EVENTS_OF_RUN} of the newest events per run were compared. Not compared: ${nounWords(of, 'older event')}. A search takes up to ${countWords(MOST_AT_A_TIME)} at a time.`;
}
