import '../../ui/lists/table.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { DeadLetter } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { useMay } from '../../api/signed-in.js';
import { ofKind } from '../../api/keys.js';
import { Button } from '../../ui/form/button.js';
import { countWords } from '../../ui/words/figures.js';
import { Answer } from '../../ui/states.js';
import { Time } from '../../ui/words/time.js';
import type { GroupName } from './letter-filters.js';
import { useGroupLetters } from './letters-data.js';
import { OPENS_ROW } from '../../ui/lists/open-rows.js';

interface LetterTableProps {
  name: GroupName;
  onOpen: (letter: DeadLetter) => void;
  onRetried: (letter: DeadLetter) => void;
}

/** The letters of a group, newest first: look at one, or try it again. */
export function LetterTable({ name, ...on }: LetterTableProps) {
  const found = useGroupLetters(name);
  return (
    <>
      <div className="table-frame">
        <Answer of={found} lines={6}>
          {({ pages }) => <LetterRows letters={pages.flatMap(({ dead_letters: some }) => some)} {...on} />}
        </Answer>
      </div>
      {found.hasNextPage && (
        <Button disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          {found.isFetchingNextPage ? 'Loading…' : 'Older dead letters'}
        </Button>
      )}
    </>
  );
}

interface LetterRowsProps extends Omit<LetterTableProps, 'name'> {
  letters: DeadLetter[];
}

function LetterRows({ letters, onOpen, onRetried }: LetterRowsProps) {
  const client = useQueryClient();
  const retrying = useMutation({
    mutationFn: ({ id }: DeadLetter) => api.deadLetters.retry({ id }),
    onSuccess: (_response, letter) => onRetried(letter),
    onSettled: () => client.invalidateQueries({ queryKey: ofKind('dead-letters') }),
  });
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="fill">Error</th>
          <th className="wide">Run</th>
          <th className="number wide">Attempts</th>
          <th className="number wide">Retries</th>
          <th className="wide">Failed</th>
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
            isBusy={retrying.isPending}
            onOpen={() => onOpen(letter)}
            onRetry={() => retrying.mutate(letter)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface LetterRowProps {
  letter: DeadLetter;
  isBusy: boolean;
  onOpen: () => void;
  onRetry: () => void;
}

function LetterRow({ letter, isBusy, onOpen, onRetry }: LetterRowProps) {
  const mayRetry = useMay('write', letter.team_id);
  const { id, error, story_id: story, story_run_guid: run, attempts, retries, failed_at: at } = letter;
  return (
    <tr>
      <td className="fill cut" title={error ?? undefined}>
        {error ?? 'no error message'}
      </td>
      <td className="wide">
        <Link href={`/runs/${story}/${run}`} title={run}>
          <code>{run.slice(-8)}</code>
        </Link>
      </td>
      <td className="number wide">{countWords(attempts)}</td>
      <td className="number wide">{countWords(retries)}</td>
      <td className="wide soft">
        <Time at={at} />
      </td>
      <td>
        <span className="row">
          <Button aria-label={`View dead letter ${id}`} {...OPENS_ROW} onClick={onOpen}>
            View
          </Button>
          {mayRetry && (
            <Button aria-label={`Retry dead letter ${id}`} disabled={isBusy} onClick={onRetry}>
              Retry
            </Button>
          )}
        </span>
      </td>
    </tr>
  );
}
