import '../../../ui/lists/table.css';
import './letters.css';
import { useQueryClient } from '@tanstack/react-query';
import { useMutation } from '../../../api/use-mutation.js';
import { type ReactNode, useRef, useState } from 'react';
import type { DeadLetter } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { ofKind } from '../../../api/keys.js';
import { useMay } from '../../../api/signed-in.js';
import { useKeys } from '../../../keys/use-keys.js';
import { isolated } from '../../../text/isolated.js';
import { Button } from '../../../ui/form/button.js';
import { OPENS_ROW } from '../../../ui/lists/open-rows.js';
import { Answer } from '../../../ui/states.js';
import { Time } from '../../../ui/words/time.js';
import type { GroupName } from '../letter-filters.js';
import { useGroupLetters } from '../letters-data.js';
import { LetterPanel } from './letter-panel.js';
import { shortGuid } from '../../runs/run-words.js';

interface LettersProps {
  name: GroupName;
  /** The letter that is looked at; undefined: the newest. */
  chosenId: number | undefined;
  onChoose: (id: number) => void;
  onRetried: (letter: DeadLetter) => void;
}

/** The letters of a group, newest first, and beside them what the chosen one sent and got. */
export function Letters({ name, ...on }: LettersProps) {
  const found = useGroupLetters(name);
  return (
    <Answer of={found} lines={6}>
      {({ pages }) => (
        <LetterColumns
          {...on}
          letters={pages.flatMap(({ dead_letters: some }) => some)}
          more={
            found.hasNextPage && (
              <Button
                className="letters-more"
                disabled={found.isFetchingNextPage}
                onClick={() => void found.fetchNextPage()}
              >
                {found.isFetchingNextPage ? 'Loading…' : 'Older dead letters'}
              </Button>
            )
          }
        />
      )}
    </Answer>
  );
}

interface LetterColumnsProps extends Omit<LettersProps, 'name'> {
  letters: DeadLetter[];
  /** What loads older ones. */
  more: ReactNode;
}

function LetterColumns({ letters, more, chosenId, onChoose, onRetried }: LetterColumnsProps) {
  const client = useQueryClient();
  const list = useRef<HTMLDivElement>(null);
  const [tab, setTab] = useState('request');
  const chosen = useChosenLetter(letters, chosenId);
  const mayRetry = useMay('write', ...(chosen === undefined ? [] : [chosen.team_id]));
  const retrying = useMutation({
    mutationFn: ({ id }: DeadLetter) => api.deadLetters.retry({ id }),
    onSuccess: (_response, letter) => onRetried(letter),
    onSettled: () => client.invalidateQueries({ queryKey: ofKind('dead-letters') }),
  });
  const retry = (letter: DeadLetter) => {
    if (!retrying.isPending) retrying.mutate(letter);
  };
  const move = (by: number) => {
    const at = letters.findIndex(({ id }) => id === chosen?.id);
    const next = letters[Math.min(Math.max(at + by, 0), letters.length - 1)];
    if (next === undefined) return;
    onChoose(next.id);
    list.current?.querySelector<HTMLElement>(`[data-letter="${next.id}"]`)?.focus();
  };
  useKeys('page', {
    j: () => move(1),
    k: () => move(-1),
    // A key that is held would retry one after the other.
    r: ({ repeat }) => !repeat && mayRetry && chosen !== undefined && retry(chosen),
  });
  return (
    <div className="letters">
      <div className="letter-list" ref={list}>
        <div className="table-frame">
          <table className="table">
            <thead>
              <tr>
                <th className="fill">Dead letter</th>
                <th className="number">Failed</th>
                <th>
                  <span className="unseen">Controls</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {letters.map((letter) => (
                <LetterRow
                  key={letter.id}
                  letter={letter}
                  isChosen={letter.id === chosen?.id}
                  isBusy={retrying.isPending}
                  onOpen={() => onChoose(letter.id)}
                  onRetry={() => retry(letter)}
                />
              ))}
            </tbody>
          </table>
        </div>
        {more}
        <p className="faint letter-keys">
          <kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>r</kbd> retry, <kbd>d</kbd> drop, <kbd>c</kbd>{' '}
          case
        </p>
      </div>
      {chosen !== undefined && (
        <LetterPanel
          letter={chosen}
          tab={tab}
          onTab={setTab}
          isBusy={retrying.isPending}
          onRetry={() => retry(chosen)}
        />
      )}
    </div>
  );
}

/** Returns the letter with this id; if it has left the list, that in its place; the newest, if none is named. */
function useChosenLetter(letters: readonly DeadLetter[], id: number | undefined): DeadLetter | undefined {
  const [last, setLast] = useState(0);
  const at = letters.findIndex((letter) => letter.id === id);
  if (at >= 0 && at !== last) setLast(at);
  return letters[at >= 0 ? at : Math.min(last, letters.length - 1)];
}

interface LetterRowProps {
  letter: DeadLetter;
  isChosen: boolean;
  isBusy: boolean;
  onOpen: () => void;
  onRetry: () => void;
}

function LetterRow({ letter, isChosen, isBusy, onOpen, onRetry }: LetterRowProps) {
  const mayRetry = useMay('write', letter.team_id);
  const { id, error, cause, subject, story_run_guid: run, failed_at: at } = letter;
  const words = cause || error || 'no error message';
  // The cause is that of the group: rows differ by what their runs are about.
  const about = subject || words;
  return (
    <tr className={isChosen ? 'chosen' : ''}>
      <td className="fill">
        <button
          type="button"
          className="letter-open"
          {...OPENS_ROW}
          data-letter={id}
          aria-pressed={isChosen}
          aria-label={`View dead letter ${id}: ${isolated(about)}`}
          title={error ?? undefined}
          onClick={onOpen}
        >
          <span className="cut">{isolated(about)}</span>
          <code className="faint">{shortGuid(run)}</code>
        </button>
      </td>
      <td className="number soft">
        <Time at={at} />
      </td>
      <td>
        {mayRetry && (
          <Button aria-label={`Retry dead letter ${id}`} disabled={isBusy} onClick={onRetry}>
            Retry
          </Button>
        )}
      </td>
    </tr>
  );
}
