import { useState } from 'react';
import type { LogLine } from '../../../../../clients/typescript/api.js';
import { Answer } from '../../../ui/states.js';
import { Time } from '../../../ui/words/time.js';
import { useLineRequest } from '../run-data.js';
import { SentRequestView } from './sent-request-view.js';

interface FailedAttemptProps {
  actionId: number;
  line: Pick<LogLine, 'id' | 'message' | 'created_at'>;
}

/** A line about a failed attempt; it opens to the request that the attempt sent. */
export function FailedAttempt({ actionId, line }: FailedAttemptProps) {
  const [isOpen, setOpen] = useState(false);
  const request = useLineRequest(actionId, isOpen ? line.id : undefined);
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="wrap">
          <Time at={line.created_at} /> · {line.message}
        </summary>
        {isOpen && (
          <Answer of={request}>
            {({ sent_request: sent }) =>
              sent === null ? (
                <p className="faint">No request was recorded for this log line.</p>
              ) : (
                <SentRequestView request={sent} attempt={line.message} />
              )
            }
          </Answer>
        )}
      </details>
    </li>
  );
}
