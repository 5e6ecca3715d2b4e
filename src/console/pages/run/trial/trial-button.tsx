import { useMutation } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import type { RunDetails } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { Button } from '../../../ui/form/button.js';
import { TrialDialog } from './trial-dialog.js';

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
