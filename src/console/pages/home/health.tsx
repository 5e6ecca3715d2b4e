import './verdict.css';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { GetStatusResponse } from '../../../../clients/typescript/api.js';
import { isUnreachable } from '../../text/problems.js';
import { AWAY_WORDS, useLasts } from '../../ui/away.js';
import { Answer } from '../../ui/states.js';
import { exactWords, Time } from '../../ui/words/time.js';
import { HeldFirst } from '../inbox/held-first.js';
import { useHeldFirst } from '../inbox/inbox-data.js';
import { placeOf } from './causes.js';
import { useStatus } from './home-data.js';
import { Stores } from './stores.js';

const HEADS = { ok: 'All systems normal', warning: 'Needs attention', error: 'Critical problem' };

/** The verdict: whether all is well, a line for each cause with the way to it, and the stores. */
export function Health() {
  const status = useStatus();
  const isOld = useLasts(status.data !== undefined && isUnreachable(status.failureReason));
  return (
    <section className={`card verdict-card ${isOld ? 'old' : ''}`} aria-label="Status">
      <Answer of={status} lines={3}>
        {(data) => (
          <>
            <Verdict status={data}>
              <span className="faint">
                {isOld ? (
                  <>
                    Last checked {exactWords(data.checked_at)}. {AWAY_WORDS}
                  </>
                ) : (
                  <Time at={data.checked_at} prefix="checked " />
                )}
              </span>
            </Verdict>
            <HeldFirst />
            <Stores status={data} />
          </>
        )}
      </Answer>
    </section>
  );
}

function Verdict({ status, children }: { status: GetStatusResponse; children: ReactNode }) {
  const held = useHeldFirst().data ?? [];
  // Held work is no fault of the installation, and yet not normal.
  const isHeld = held.some(({ severity }) => severity !== 'note');
  const state = status.state === 'ok' && isHeld ? 'warning' : status.state;
  return (
    <div className={`verdict ${state}`}>
      <p className="row row-wrap">
        <strong className="verdict-words">{HEADS[state]}</strong>
        {children}
      </p>
      {status.reasons.length > 0 && (
        <ul className="causes">
          {status.reasons.map((reason) => (
            <Cause key={reason.text} reason={reason} status={status} />
          ))}
        </ul>
      )}
    </div>
  );
}

interface CauseProps {
  reason: GetStatusResponse['reasons'][number];
  status: GetStatusResponse;
}

/** One line: what it is, since when, and what to do. */
function Cause({ reason: { id, state, text, remedy, since }, status }: CauseProps) {
  const place = placeOf(id, status);
  return (
    <li className={`cause ${state}`}>
      <span className="grow wrap">
        <strong>{text}</strong>{' '}
        <span className="soft">
          {since !== null && (
            <>
              <Time at={since} prefix="Began " />.{' '}
            </>
          )}
          {remedy}
        </span>
      </span>
      {place !== undefined && (
        <Link href={place.path} className="button">
          {place.name}
        </Link>
      )}
    </li>
  );
}
