import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { DeadLetter } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import { isAbsent } from '../../../text/problems.js';
import { Badge } from '../../../ui/words/badge.js';
import { Failed } from '../../../ui/states.js';
import { shortGuid } from '../../runs/run-words.js';

const AGAIN_MS = 2_000;

type Outcome = { state: 'works' } | { state: 'failed'; error: string } | { state: 'passed'; run: string };

/** The end of a letter that was tried again: it failed once more, or its run went on. */
export function FollowedRetry({ letter }: { letter: DeadLetter }) {
  const { story_id: story, story_run_guid: run } = letter;
  const followed = useQuery({
    queryKey: keys.letter(letter.id).followed,
    queryFn: () => outcomeOf(letter),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.state === 'works' ? AGAIN_MS : false,
  });
  return (
    <div className="followed row row-wrap" role="status">
      <span>Retried:</span>
      <Link href={`/runs/${story}/${run}`} className="grow">
        run {shortGuid(run)}
      </Link>
      {followed.error ? (
        <Failed error={followed.error} />
      ) : (
        <OutcomeWords outcome={followed.data ?? { state: 'works' }} />
      )}
    </div>
  );
}

function OutcomeWords({ outcome }: { outcome: Outcome }) {
  if (outcome.state === 'works') return <Badge tone="running">running</Badge>;
  if (outcome.state === 'passed') return <Badge tone="ok">succeeded; its run is {outcome.run}</Badge>;
  return (
    <>
      <Badge tone="bad">failed again</Badge>
      <span className="bad wrap">{outcome.error}</span>
    </>
  );
}

/** A letter is none while it is tried again; it is one again if that fails, with a later time. */
async function outcomeOf(letter: DeadLetter): Promise<Outcome> {
  const again = await api.deadLetters.get({ id: letter.id }).catch((error: unknown) => {
    if (isAbsent(error)) return undefined;
    throw error;
  });
  if (again !== undefined)
    return again.failed_at === letter.failed_at
      ? { state: 'works' }
      : { state: 'failed', error: again.error ?? '' };
  const run = await api.stories.runs.get({ id: letter.story_id, guid: letter.story_run_guid, per_page: 1 });
  const isOpen = run.open_deliveries.some(({ id }) => id === letter.id);
  return isOpen ? { state: 'works' } : { state: 'passed', run: run.status };
}
