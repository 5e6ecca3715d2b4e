import './why.css';
import { Hourglass } from 'lucide-react';
import type { RunDetails } from '../../../../../clients/typescript/api.js';
import { isHeld, type WaitReason, waitSentence } from '../../../text/wait-words.js';
import { nounWords } from '../../../ui/words/figures.js';
import { WaitLink } from '../../../ui/words/wait-link.js';

type WaitingRun = Pick<RunDetails, 'status' | 'open_deliveries' | 'open_delivery_count'>;

/** Why a run waits and until when; nothing for one that only has its turn. */
export function WaitBanner({ run }: { run: WaitingRun }) {
  const reasons = waitsOf(run);
  if (run.status !== 'running' || reasons.length === 0) return null;
  return (
    <section className="why waits" aria-label="Why it waits">
      <Hourglass aria-hidden="true" />
      <div className="why-words">
        {reasons.map(({ reason, until }) => (
          <p key={reason} className="why-facts">
            <strong>{waitSentence(reason, until)}</strong>
            <WaitLink reason={reason} />
          </p>
        ))}
        <p className="soft">{nounWords(run.open_delivery_count, 'step')} to come</p>
      </div>
    </section>
  );
}

/** Returns each reason of the first steps to come once, with the earliest time at which one of them goes on. */
function waitsOf({ open_deliveries: open }: Pick<WaitingRun, 'open_deliveries'>) {
  const reasons = new Map<WaitReason, string | null>();
  for (const { reason, waits_until: until } of open) {
    if (!isHeld(reason)) continue;
    const other = reasons.get(reason) ?? null;
    reasons.set(reason, other !== null && (until === null || other < until) ? other : until);
  }
  return [...reasons].map(([reason, until]) => ({ reason, until }));
}
