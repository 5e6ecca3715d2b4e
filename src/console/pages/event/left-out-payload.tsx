import { type ReactNode, useState } from 'react';
import { sentencesOf } from '../../text/problems.js';
import { Button } from '../../ui/form/button.js';
import { useEvent } from '../run/run-data.js';

interface LeftOutPayloadProps {
  /** The event whose payload a page of a list lacks. */
  id: number;
  /** A sentence that follows the reason. */
  note?: string;
  draw: (payload: unknown) => ReactNode;
}

/** A payload that the API left out of a list because the page was too large, and the way to load it alone. */
export function LeftOutPayload({ id, note, draw }: LeftOutPayloadProps) {
  const [isWanted, setWanted] = useState(false);
  const { data, error, isFetching, refetch } = useEvent(isWanted ? id : undefined, 'own');
  if (data !== undefined) {
    return data.incomplete ? <span className="faint">The payload was deleted.</span> : draw(data.payload);
  }
  return (
    <span className="row row-wrap">
      {error === null ? (
        <span className="faint">
          The payload is omitted because this page of the list is too large.{note && ` ${note}`}
        </span>
      ) : (
        <span className="bad wrap" role="alert">
          {sentencesOf(error).join(' ')}
        </span>
      )}
      <Button
        aria-label={`Load the payload of event ${id}`}
        disabled={isFetching}
        onClick={() => (isWanted ? void refetch() : setWanted(true))}
      >
        {isFetching ? 'Loading…' : 'Load'}
      </Button>
    </span>
  );
}
