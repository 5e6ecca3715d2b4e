import './disable-question.css';
import { Question } from '../../../ui/overlay/question.js';
import { countWords, nounWords } from '../../../ui/words/figures.js';
import { Time } from '../../../ui/words/time.js';
import { isolated } from '../../../text/isolated.js';
import { LOCALE } from '../../../text/locale.js';
import type { Place } from '../story-data.js';
import { type Stops, type Use, useStops } from './stops-data.js';

interface DisableQuestionProps {
  place: Place;
  /** The action that is meant; absent: the whole story. */
  actionId?: number;
  /** The name of the action or of the story. */
  name: string;
  isBusy: boolean;
  onClose: () => void;
  onYes: () => void;
}

const OF_STORY = 'This story will not run until it is enabled again.';
const OF_ACTION = 'Runs end before this action until it is enabled again.';

/** Asks before a story or an action is disabled, and says what stops. */
export function DisableQuestion({ place, actionId, name, ...question }: DisableQuestionProps) {
  const lines = stopWords(useStops({ place, actionId }), actionId === undefined ? 'run' : 'event');
  return (
    <Question
      title={`Disable ${isolated(name)}?`}
      about={actionId === undefined ? OF_STORY : OF_ACTION}
      button="Disable"
      {...question}
    >
      <ul className="stops">
        {lines.map(({ key, words }) => (
          <li key={key}>{words}</li>
        ))}
      </ul>
    </Question>
  );
}

/** Returns what stops, a sentence each; `noun` is what is counted. */
function stopWords({ used, schedules, waiting = 0 }: Stops, noun: string) {
  return [
    { key: 'use', words: used === undefined ? 'Counting its recent calls…' : wordsOfUse(used, noun) },
    ...(schedules === undefined || schedules.count === 0
      ? []
      : [
          {
            key: 'schedules',
            words: (
              <>
                {nounWords(schedules.count, 'schedule')} would start next <Time at={schedules.nextAt} />.
              </>
            ),
          },
        ]),
    ...(waiting === 0
      ? []
      : [
          {
            key: 'waiting',
            words: `${nounWords(waiting, 'waiting event')} will stay queued until it is enabled again.`,
          },
        ]),
  ];
}

function wordsOfUse({ calls, count, since }: Use, noun: string): string {
  const span = noun === 'run' || since === undefined ? 'in the last hour' : `since ${clock.format(since)}`;
  if (calls > 0) {
    const times = calls === 1 ? 'once' : `${countWords(calls)} times`;
    return `Its webhook was called ${times} ${span}. Further calls get a 404 and are lost.`;
  }
  return count === 0 ? `No ${noun}s ${span}.` : `${nounWords(count, noun)} ${span}.`;
}

const clock = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' });
