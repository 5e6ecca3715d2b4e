import { Badge } from '../../../ui/words/badge.js';

interface TrialLine {
  severity: string;
  message: string;
  action?: { name: string } | null;
}

/** The lines that actions would write into their logs. */
export function TrialLog({ lines }: { lines: readonly TrialLine[] }) {
  if (lines.length === 0) return <p className="soft">No log lines.</p>;
  return (
    <ul className="panel-items" aria-label="Log">
      {lines.map(({ severity, message, action }, at) => (
        // A trial does not change: the place says all about a line.
        <li key={at} className="row row-wrap">
          <Badge tone={severity === 'error' ? 'bad' : severity === 'warn' ? 'warn' : 'plain'}>
            {severity}
          </Badge>
          {action && <strong>{action.name}</strong>}
          <span className="wrap">{message}</span>
        </li>
      ))}
    </ul>
  );
}
