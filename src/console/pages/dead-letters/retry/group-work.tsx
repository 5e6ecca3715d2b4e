import { RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { DeadLetter } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { Button } from '../../../ui/form/button.js';
import { Dialog } from '../../../ui/overlay/dialog.js';
import { countWords, nounWords } from '../../../ui/words/figures.js';
import { dropBody, DropReason } from './drop-reason.js';
import { type Progress, useGroupWork } from './use-group-work.js';

type Verb = 'retry' | 'drop';

const WORDS: Record<Verb, { title: string; about: string; button: string; did: string }> = {
  retry: {
    title: 'Retry',
    about:
      'Each action gets its event again, with its present options. Requests and mails are really sent. Mend the cause first, and retry one letter before all.',
    button: 'Retry all',
    did: 'tried again',
  },
  drop: {
    title: 'Drop',
    about:
      'Their events are not handled any more. This cannot be undone. The audit log keeps who did it, and why.',
    button: 'Drop all',
    did: 'dropped',
  },
};

/** Tries all letters of a group again, or drops them, after a question; it shows how far it has come. */
export function GroupWork({ letters }: { letters: DeadLetter[] }) {
  const [asked, setAsked] = useState<Verb>();
  const [reason, setReason] = useState('');
  const { progress, start, stop } = useGroupWork();
  const isBusy = progress?.state === 'works';
  const begin = (verb: Verb) => {
    const one = (id: number) =>
      verb === 'retry' ? api.retryDeadLetter({ id }) : api.deleteDeadLetter({ id, ...dropBody(reason) });
    const ids = letters.map(({ id }) => id);
    setAsked(undefined);
    void start(WORDS[verb].did, ids, one);
  };
  return (
    <>
      <div className="group-work">
        <Button look="main" disabled={isBusy || letters.length === 0} onClick={() => setAsked('retry')}>
          <RotateCcw aria-hidden="true" /> Retry all
        </Button>
        <Button look="danger" disabled={isBusy || letters.length === 0} onClick={() => setAsked('drop')}>
          <Trash2 aria-hidden="true" /> Drop all
        </Button>
        {isBusy && <Button onClick={stop}>Stop</Button>}
        {progress !== undefined && <ProgressLine progress={progress} />}
      </div>
      {progress?.faults.map((fault) => (
        <p key={fault} className="bad wrap">
          {fault}
        </p>
      ))}
      {asked !== undefined && (
        <Dialog
          title={`${WORDS[asked].title} ${nounWords(letters.length, 'dead letter')}?`}
          about={WORDS[asked].about}
          onClose={() => setAsked(undefined)}
        >
          {asked === 'drop' && <DropReason reason={reason} onReason={setReason} />}
          <footer className="dialog-foot">
            <Button onClick={() => setAsked(undefined)}>Cancel</Button>
            <Button look={asked === 'drop' ? 'danger' : 'main'} onClick={() => begin(asked)}>
              {WORDS[asked].button}
            </Button>
          </footer>
        </Dialog>
      )}
    </>
  );
}

function ProgressLine({ progress: { did, done, of, refused, state } }: { progress: Progress }) {
  const words = `${countWords(done)} of ${countWords(of)} ${did}`;
  return (
    <>
      <progress max={of} value={done + refused} aria-label={`Letters ${did}`} />
      <span role="status" className={refused > 0 ? 'bad' : 'soft'}>
        {words}
        {refused > 0 && `, ${countWords(refused)} refused`}
        {state === 'stopped' && ', stopped'}
      </span>
    </>
  );
}
