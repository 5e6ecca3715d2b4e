import type { DeadLetter } from '../../../../clients/typescript/api.js';
import { Answer, Nothing } from '../../ui/states.js';
import { SentRequestView } from '../run/panel/sent-request-view.js';
import { useLetterRequest } from './letters-data.js';

/** The request that the last attempt of a letter sent. */
export function LetterRequest({ letter }: { letter: DeadLetter }) {
  return (
    <Answer of={useLetterRequest(letter)}>
      {({ sent_request: sent }) =>
        sent === null ? (
          <Nothing title="No HTTP request was recorded for this dead letter.">
            <p>The last attempt sent none, or its log line was deleted.</p>
          </Nothing>
        ) : (
          <SentRequestView request={sent} />
        )
      }
    </Answer>
  );
}
