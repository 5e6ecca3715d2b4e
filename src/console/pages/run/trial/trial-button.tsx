import { FlaskConical } from 'lucide-react';
import type { RunDetails, StoryTrial, TrialActionDifference } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useMutation } from '../../../api/use-mutation.js';
import { Button } from '../../../ui/form/button.js';
import { Dialog } from '../../../ui/overlay/dialog.js';
import { nounWords } from '../../../ui/words/figures.js';
import { ChangeTable } from '../../event/change-table.js';
import { isolated } from '../../../text/isolated.js';

const MOST_CHANGES = 50;

const listed = (errors: readonly string[]) => errors.map(isolated).join('; ') || 'none';

/** Runs a past run once more in memory, through the story as it is now; nothing is sent. */
export function TrialButton({ run }: { run: Pick<RunDetails, 'story_id' | 'guid'> }) {
  const trying = useMutation({
    mutationFn: () => api.trials.create({ story_id: run.story_id, run_guid: run.guid }),
  });
  return (
    <>
      <Button
        disabled={trying.isPending}
        title="Runs the current story in memory with the responses of this run. Nothing is sent"
        onClick={() => trying.mutate()}
      >
        <FlaskConical aria-hidden="true" /> {trying.isPending ? 'Running…' : 'Run as trial'}
      </Button>
      {trying.data !== undefined && <TrialDialog trial={trying.data} onClose={trying.reset} />}
    </>
  );
}

/** The differences between a past run and the story as it is now. */
function TrialDialog({ trial, onClose }: { trial: StoryTrial; onClose: () => void }) {
  const { difference, errors, unanswered, stopped, events } = trial;
  return (
    <Dialog
      wide
      title={titleOf(trial)}
      about={`${nounWords(events.length, 'event')}, in memory. Nothing was sent.`}
      onClose={onClose}
    >
      <div className="dialog-body stack">
        {stopped !== null && <p className="warn wrap">Stopped early: {stopped}</p>}
        {difference?.actions.map((each, at) => (
          <Difference key={each.action?.guid ?? at} of={each} />
        ))}
        {errors.map(({ action, error, parent_id: parent }) => (
          <p key={`${action?.guid}-${parent}`} className="wrap">
            <strong>{action?.name}</strong> fails: <span className="bad">{error}</span>
          </p>
        ))}
        {unanswered.length > 0 && (
          <p className="wrap warn">
            The past run has no recorded response for: {unanswered.map(isolated).join(', ')}
          </p>
        )}
        {difference?.same === true && errors.length === 0 && (
          <p className="soft">All events and failures are identical.</p>
        )}
      </div>
    </Dialog>
  );
}

function titleOf({ difference }: StoryTrial): string {
  if (difference === null) return 'Nothing to compare the trial with';
  return difference.same
    ? 'The current story behaves the same'
    : `The current story differs in ${nounWords(difference.count, 'place')}`;
}

function Difference({ of: { action, added, missing, changed, errors } }: { of: TrialActionDifference }) {
  const changes = changed.flatMap((event) => event.changes);
  return (
    <section className="stack part" aria-label={action?.name ?? 'Deleted action'}>
      <h3>{action?.name ?? 'Deleted action'}</h3>
      <p className="soft row row-wrap">
        {added.length > 0 && <span>{nounWords(added.length, 'event')} more</span>}
        {missing.length > 0 && <span>{nounWords(missing.length, 'event')} less</span>}
        {changed.length > 0 && <span>{nounWords(changed.length, 'event')} changed</span>}
      </p>
      {errors !== null && (
        <p className="wrap">
          Failures before: {listed(errors.before)}. Now: {listed(errors.after)}.
        </p>
      )}
      {changes.length > 0 && (
        <ChangeTable changes={changes.slice(0, MOST_CHANGES)} before="In the run" after="Now" />
      )}
      {changes.length > MOST_CHANGES && (
        <p className="faint">{nounWords(changes.length - MOST_CHANGES, 'more change')}</p>
      )}
    </section>
  );
}
