import './states.css';
import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './form/button.js';

/** The words for a server that is away; whoever shows them tries again. */
export const AWAY_WORDS = 'The server is not responding. Trying again.';
/** A server that answers within this time was not away. */
const PATIENCE_MS = 2_000;

/** Whether something has been true for two seconds. */
export function useLasts(isTrue: boolean): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    if (!isTrue) return undefined;
    const timer = setTimeout(() => setLasts(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setLasts(false);
    };
  }, [isTrue]);
  return isTrue && lasts;
}

/** Tells that the server does not answer, and perhaps why; `retry` does not wait for the next try. */
export function Away({ sentences = [], retry }: { sentences?: readonly string[]; retry?: () => unknown }) {
  return (
    <div className="state away" role="status">
      <CloudOff aria-hidden="true" />
      <p className="state-title">{AWAY_WORDS}</p>
      {sentences.map((sentence) => (
        <p key={sentence} className="faint wrap">
          {sentence}
        </p>
      ))}
      {retry !== undefined && <Button onClick={() => void retry()}>Retry</Button>}
    </div>
  );
}
