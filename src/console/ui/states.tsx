import './states.css';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useSyncExternalStore } from 'react';
import { FabulaError } from '../../../clients/typescript/errors.js';
import { isUnreachable, sentencesOf } from '../text/problems.js';
import { isServerAway, watchReach } from '../text/server-reach.js';
import { Away, useLasts } from './away.js';
import { Button } from './form/button.js';

/** Lines where the content will be, said once to screen readers; words once the server does not answer. */
export function Loading({ lines = 4 }: { lines?: number }) {
  const isAway = useLasts(useSyncExternalStore(watchReach, isServerAway));
  if (isAway) return <Away />;
  return (
    <div className="loading" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} style={{ width: `${90 - ((line * 23) % 50)}%` }} />
      ))}
    </div>
  );
}

/** In place of a whole page, with a heading for those who jump to it. */
export function LoadingPage({ lines = 8 }: { lines?: number }) {
  return (
    <>
      <h1 className="unseen">Loading</h1>
      <Loading lines={lines} />
    </>
  );
}

/** A request failed: why, and another try. */
export function Failed({ error, retry }: { error: unknown; retry?: () => unknown }) {
  return (
    <div className="state failed" role="alert">
      <CircleAlert aria-hidden="true" />
      {sentencesOf(error).map((sentence) => (
        <p key={sentence} className="wrap">
          {sentence}
        </p>
      ))}
      {retry !== undefined && <Button onClick={() => void retry()}>Retry</Button>}
    </div>
  );
}

/** There is nothing: `title` says so, the rest says what to do. */
export function Nothing({
  title,
  icon,
  children,
}: {
  title: string;
  icon?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="state">
      {icon}
      <p className="state-title">{title}</p>
      {children}
    </div>
  );
}

interface Asked<Data> {
  data: Data | undefined;
  error: unknown;
  /** Why the last try failed, while it is tried again. */
  failureReason?: unknown;
  refetch: () => unknown;
}

/** Shows the response of a query, or that it loads or failed, or that the server is away. A response that is old stays while a new one fails. */
export function Answer<Data>(props: {
  of: Asked<Data>;
  lines?: number;
  children: (data: Data) => ReactNode;
}) {
  const { of, lines, children } = props;
  const { failureReason: reason } = of;
  const isAway = useLasts(of.data === undefined && isUnreachable(reason));
  if (of.data !== undefined) return children(of.data);
  if (of.error) return <Failed error={of.error} retry={of.refetch} />;
  if (isAway) {
    return <Away sentences={reason instanceof FabulaError ? sentencesOf(reason) : []} retry={of.refetch} />;
  }
  return <Loading {...(lines !== undefined && { lines })} />;
}
