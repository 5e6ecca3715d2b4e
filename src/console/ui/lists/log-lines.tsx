import type { LogLine } from '../../../../clients/typescript/api.js';
import { Nothing } from '../states.js';
import { Badge, type Tone } from '../words/badge.js';
import { Time } from '../words/time.js';

const TONES: Record<string, Tone> = { error: 'bad', warn: 'warn', info: 'plain', debug: 'plain' };

interface LogLinesProps {
  lines: Pick<LogLine, 'id' | 'severity' | 'message' | 'created_at'>[];
  /** The words where there is no line. */
  empty: string;
}

/** Lines of the log of an action. */
export function LogLines({ lines, empty }: LogLinesProps) {
  if (lines.length === 0) return <Nothing title={empty} />;
  return (
    <ul className="panel-items">
      {lines.map(({ id, severity, message, created_at: at }) => (
        <li key={id}>
          <div className="row">
            <Badge tone={TONES[severity] ?? 'plain'}>{severity}</Badge>
            <span className="faint">
              <Time at={at} />
            </span>
          </div>
          <p className="wrap">{message}</p>
        </li>
      ))}
    </ul>
  );
}
