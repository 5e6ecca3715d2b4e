import '../dead-letters.css';
import { RotateCcw, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { DeadLetterGroup } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useChange } from '../../../api/use-change.js';
import { useKeptText } from '../../../api/use-kept-text.js';
import { useMay } from '../../../api/signed-in.js';
import { Button } from '../../../ui/form/button.js';
import { Dialog } from '../../../ui/overlay/dialog.js';
import { countWords, nounWords } from '../../../ui/words/figures.js';
import { useAddress } from '../../../ui/browser/use-address.js';
import type { GroupName } from '../letter-filters.js';
import { filterOf, useCanary } from '../letters-data.js';
import { dropBody, DropReason } from './drop-reason.js';
import { sentencesOf } from '../../../text/problems.js';
import { ofKind } from '../../../api/keys.js';

/** How far a work on many letters has come. */
interface Progress {
  /** In the past tense: `tried again`. */
  did: string;
  done: number;
  of: number;
  /** Why it ended too early. */
  faults: string[];
  state: 'works' | 'stopped' | 'failed' | 'ended';
}

/** The result of one request: letters done, and letters left. */
interface Step {
  done: number;
  remaining: number;
}

type Verb = 'retry' | 'drop';
/** What can be asked for; the server carries out a canary by itself. */
type Asked = Verb | 'canary';

/** Up to so many letters, one first is no help. */
const FEW = 3;

/** Letters of one request: few enough that one sees how far it has come. */
const AT_ONCE = 500;

type Body = ReturnType<typeof filterOf> & { until: string; limit: number };

const STEPS: Record<Verb, (body: Body, reason: string) => Promise<Step>> = {
  async retry(body) {
    const { retried: done, remaining } = await api.deadLetters.retryMany(body);
    return { done, remaining };
  },
  async drop(body, reason) {
    const { dropped: done, remaining } = await api.deadLetters.dropMany({ ...body, ...dropBody(reason) });
    return { done, remaining };
  },
};

const WORDS: Record<Asked, { title: string; about: string; button: string; did: string }> = {
  canary: {
    title: 'Retry',
    about:
      'Retries the oldest one, then 10, then the rest. Stops if the same error comes back. Requests and mails are sent. The retry continues if you leave the page.',
    button: 'Retry 1 first',
    did: 'retried',
  },
  retry: {
    title: 'Retry',
    about:
      'Each action processes its event again with its current options. Requests and mails are sent. Fix the cause first, and retry one dead letter before retrying all.',
    button: 'Retry all',
    did: 'retried',
  },
  drop: {
    title: 'Drop',
    about:
      'Their events will not be processed. This cannot be undone. The audit log records the user and the reason.',
    button: 'Drop all',
    did: 'dropped',
  },
};

interface GroupWorkProps {
  name: GroupName;
  /** Absent: no letter is left. */
  group: Pick<DeadLetterGroup, 'team_id' | 'dead_letters' | 'last_failed_at'> | undefined;
  work: GroupWorkState;
  /** Only retries are offered, none of them as the main thing to do. */
  isBrief?: boolean;
  /** Is called when a canary retry has begun. */
  onCanary?: () => void;
  /** Further buttons, for those who may work on it. */
  children?: ReactNode;
}

/** Tries all letters of a group again, or drops them, after a question; it shows how far it has come. */
export function GroupWork({ name, group, work, isBrief = false, onCanary, children }: GroupWorkProps) {
  const [query, change] = useAddress();
  const [chosen, setAsked] = useState<Asked>();
  const asked = chosen ?? verbIn(query);
  const [reason, setReason, forgetReason] = useKeptText(`dead-letters.${Object.values(name).join(' ')}.drop`);
  const hide = () => {
    setAsked(undefined);
    if (query.has('ask')) change({ ask: undefined });
  };
  const leave = () => {
    forgetReason();
    hide();
  };
  const { progress, start, stop } = work;
  const mayWork = useMay('write', ...(group === undefined ? [] : [group.team_id]));
  const canary = useCanary(name).data;
  const starting = useChange(
    (body: ReturnType<typeof filterOf> & { until: string }) => api.deadLetters.canaries.create(body),
    { old: ['canaries', 'dead-letters', 'runs'], onDone: () => onCanary?.() },
  );
  const isBusy = progress?.state === 'works' || starting.isPending || canary?.state === 'running';
  const count = group?.dead_letters ?? 0;
  const begin = async (verb: Asked) => {
    hide();
    if (group === undefined) return;
    const chosenLetters = { ...filterOf(name), until: untilOf(group) };
    if (verb === 'canary') {
      starting.mutate(chosenLetters);
      return;
    }
    const body = { ...chosenLetters, limit: AT_ONCE };
    const work = { did: WORDS[verb].did, count, step: () => STEPS[verb](body, reason) };
    // A reason whose work has failed is there again when the person tries once more.
    if (await start(work)) forgetReason();
  };
  return (
    <>
      <div className="group-work">
        {mayWork && count > 0 && (
          <>
            <WorkButtons count={count} isBrief={isBrief} isDisabled={isBusy} onAsk={setAsked} />
            {children}
          </>
        )}
        {progress?.state === 'works' && <Button onClick={stop}>Stop</Button>}
        {progress !== undefined && <ProgressLine progress={progress} />}
      </div>
      {progress?.faults.map((fault) => (
        <p key={fault} className="bad wrap">
          {fault}
        </p>
      ))}
      {asked !== undefined && mayWork && count > 0 && (
        <Dialog
          title={`${WORDS[asked].title} ${nounWords(count, 'dead letter')}${asked === 'canary' ? ', 1 first' : ''}?`}
          about={WORDS[asked].about}
          isTyped={asked === 'drop' && reason !== ''}
          onClose={leave}
        >
          {asked === 'drop' && <DropReason reason={reason} onReason={setReason} />}
          <footer className="dialog-foot">
            <Button onClick={leave}>Cancel</Button>
            <Button look={asked === 'drop' ? 'danger' : 'main'} onClick={() => void begin(asked)}>
              {WORDS[asked].button}
            </Button>
          </footer>
        </Dialog>
      )}
    </>
  );
}

/** Returns what the address asks for, before the person confirms it. */
const verbIn = (query: URLSearchParams): Asked | undefined =>
  query.get('ask') === 'retry' ? 'retry' : undefined;

/** Later ones are left: those that fail again meanwhile are not tried for ever. */
function untilOf({ last_failed_at: last }: Pick<DeadLetterGroup, 'last_failed_at'>): string {
  return new Date(Date.parse(last) + 1_000).toISOString();
}

interface WorkButtonsProps {
  count: number;
  isBrief: boolean;
  isDisabled: boolean;
  onAsk: (asked: Asked) => void;
}

function WorkButtons({ count, isBrief, isDisabled, onAsk }: WorkButtonsProps) {
  const isMany = count > FEW;
  const main = isBrief ? {} : { look: 'main' as const };
  return (
    <>
      {isMany && (
        <Button {...main} disabled={isDisabled} onClick={() => onAsk('canary')}>
          <RotateCcw aria-hidden="true" /> Retry 1 first
        </Button>
      )}
      <Button {...(!isMany && main)} disabled={isDisabled} onClick={() => onAsk('retry')}>
        Retry all {countWords(count)}
      </Button>
      {!isBrief && (
        <Button look="danger" disabled={isDisabled} onClick={() => onAsk('drop')}>
          <Trash2 aria-hidden="true" /> Drop all
        </Button>
      )}
    </>
  );
}

/** How far a work on letters has come. */
export function ProgressLine({ progress: { did, done, of, state } }: { progress: Progress }) {
  return (
    <>
      <progress max={of} value={state === 'ended' ? of : done} aria-label={`Letters ${did}`} />
      <span role="status" className={state === 'failed' ? 'bad' : 'soft'}>
        {`${countWords(done)} of ${countWords(of)} ${did}`}
        {state === 'stopped' && ', stopped'}
        {state === 'ended' && done < of && '. The others were already handled, or their runs were cancelled.'}
      </span>
    </>
  );
}

/** A work on `count` letters, in steps until none remains. */
interface Work {
  did: string;
  count: number;
  step: () => Promise<Step>;
}

/** What does a work on letters, and how far it has come. */
export type GroupWorkState = ReturnType<typeof useGroupWork>;

/**
 * Does a work step by step, and tells how far it has come. It ends when it is stopped or the page is left. `start` returns
 * whether all was done, and never throws.
 */
export function useGroupWork() {
  const client = useQueryClient();
  const [progress, setProgress] = useState<Progress>();
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);

  const start = async ({ did, count, step }: Work): Promise<boolean> => {
    const controller = new AbortController();
    stopping.current = controller;
    let present: Progress = { did, done: 0, of: count, faults: [], state: 'works' };
    const tell = (change: Partial<Progress>) => {
      present = { ...present, ...change };
      setProgress(present);
    };
    tell({});
    try {
      for (let remaining = 1; remaining > 0 && !controller.signal.aborted; ) {
        const stepped = await step();
        remaining = stepped.remaining;
        tell({ done: present.done + stepped.done });
      }
      tell({ state: controller.signal.aborted ? 'stopped' : 'ended' });
    } catch (error) {
      tell({ state: 'failed', faults: sentencesOf(error) });
    }
    await Promise.all(
      (['dead-letters', 'runs'] as const).map((kind) => client.invalidateQueries({ queryKey: ofKind(kind) })),
    );
    return present.state === 'ended';
  };
  return { progress, start, stop: () => stopping.current?.abort() };
}
