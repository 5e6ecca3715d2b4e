import './runs.css';
import type { Run } from '../../../../clients/typescript/api.js';
import { Badge } from '../../ui/words/badge.js';
import { nounWords } from '../../ui/words/figures.js';
import { TONES } from './run-words.js';

/** How a run ended. One that completed although steps have errors in their logs is marked. */
export function RunStateBadge({ run: { status, warnings } }: { run: Pick<Run, 'status' | 'warnings'> }) {
  if (warnings === 0) return <Badge tone={TONES[status]}>{status}</Badge>;
  const words = nounWords(warnings, 'warning');
  return (
    <span className="run-state">
      <Badge tone={status === 'completed' ? 'warn' : TONES[status]}>{status}</Badge>
      <span className="warn nowrap">{words}</span>
    </span>
  );
}
