import '../dead-letters.css';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { DeadLetterCanary } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { ofKind } from '../../../api/keys.js';
import { useMay } from '../../../api/signed-in.js';
import { useChange } from '../../../api/use-change.js';
import { isolated } from '../../../text/isolated.js';
import { Button } from '../../../ui/form/button.js';
import { Time } from '../../../ui/words/time.js';
import type { GroupName } from '../letter-filters.js';
import { isOpen, useCanary } from '../letters-data.js';
import { countsOf, stateOf } from './canary-words.js';

/** The letters are listed again once in this time while a retry goes on; in milliseconds. */
const FRESH_MS = 5_000;

/** The newest canary retry of a group: how far it has come, or its result, for everybody who opens the group. */
export function CanaryLine({ name }: { name: GroupName }) {
  const canary = useCanary(name).data;
  useFreshLetters(canary);
  return canary ? <Line canary={canary} /> : null;
}

function Line({ canary }: { canary: DeadLetterCanary }) {
  const mayWork = useMay('write', canary.team_id);
  const section = useRef<HTMLElement>(null);
  const stopping = useChange(() => api.deadLetters.canaries.stop({ id: canary.id }), { old: ['canaries'] });
  const stop = () => {
    // The button goes once it is pressed.
    section.current?.focus();
    stopping.mutate(undefined);
  };
  const { state, started_by: by, created_at: at, stop_error: error, passed, failed, skipped } = canary;
  const isRunning = state === 'running';
  return (
    <section ref={section} tabIndex={-1} className="canary" aria-label="Canary retry">
      <p className="row row-wrap">
        <strong className={state === 'stopped' ? 'bad' : ''} role="status">
          {stateOf(canary)}
        </strong>
        {isOpen(canary) && (
          <progress
            max={canary.dead_letters}
            value={passed + failed + skipped}
            aria-label="Letters with a result"
          />
        )}
        <span>{countsOf(canary)}</span>
        {isRunning && mayWork && (
          <Button disabled={stopping.isPending} onClick={stop}>
            Stop
          </Button>
        )}
        <span className="faint">
          <Time at={at} prefix="started " />
          {by !== null && ` by ${isolated(by.name)}`}
        </span>
      </p>
      {error !== null && error !== '' && <p className="bad wrap">{error}</p>}
      {canary.left_out > 0 && (
        <p className="soft">This retry takes the oldest 10,000. Retry the others afterwards.</p>
      )}
    </section>
  );
}

/** The lists of letters are old once the retry has come on. Live events tell of letters that failed again, not of those that passed. */
function useFreshLetters(canary: DeadLetterCanary | null | undefined) {
  const client = useQueryClient();
  const progress = canary && `${canary.id} ${canary.waiting} ${canary.running} ${canary.failed}`;
  const isUnderWay = isOpen(canary);
  const seen = useRef(progress);
  const coming = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(coming.current), []);
  useEffect(() => {
    const before = seen.current;
    seen.current = progress;
    if (!before || !progress || before === progress) return;
    const refresh = () => {
      clearTimeout(coming.current);
      coming.current = undefined;
      void client.invalidateQueries({ queryKey: ofKind('dead-letters') });
    };
    if (isUnderWay) coming.current ??= setTimeout(refresh, FRESH_MS);
    else refresh();
  }, [client, progress, isUnderWay]);
}
