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
          <Button title={`At most ${countWords(MOST_AT_A_TIME)} at a time`} onClick={onStart}>
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
  if (isOver) return `All older events of these runs were compared: ${has}.`;
  if (compared > 0) return `${countWords(compared)} of ${countWords(of)} older events were compared: ${has}.`;
  return `Of each run the newest events were compared, ${EVENTS_OF_RUN} at most. Not compared: ${nounWords(of, 'older event')}. A search takes up to ${countWords(MOST_AT_A_TIME)} at a time.`;
}
