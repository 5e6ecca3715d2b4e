import './import.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { useLocation } from 'wouter';
import { keys, ofKind } from '../../../api/keys.js';
import { useMutation } from '../../../api/use-mutation.js';
import { Button } from '../../../ui/form/button.js';
import { Dialog } from '../../../ui/overlay/dialog.js';
import { Answer, Failed } from '../../../ui/states.js';
import { say } from '../../../ui/overlay/toasts.js';
import { CheckReport } from './check-report.js';
import { checkFile, type CheckedFile, type ImportChoice, importText } from './import-data.js';
import { ImportForm } from './import-form.js';
import { isolated } from '../../../text/isolated.js';

interface ImportDialogProps {
  file: File;
  /** The page that opens after the import; that of the story unless given. */
  opensAt?: (storyId: number) => string;
  onClose: () => void;
}

/** Shows what the check finds in a file, and imports it once that is confirmed. */
export function ImportDialog({ file, opensAt = (id) => `/stories/${id}`, onClose }: ImportDialogProps) {
  const checked = useQuery({
    queryKey: keys.importCheck(file),
    queryFn: () => checkFile(file),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return (
    <Dialog title={`Import ${file.name}`} about="Nothing is stored until you confirm." wide onClose={onClose}>
      <Answer of={checked} lines={6}>
        {(found) => <Confirm {...{ file, found, opensAt, onClose }} />}
      </Answer>
    </Dialog>
  );
}

function Confirm({ file, found, opensAt, onClose }: Required<ImportDialogProps> & { found: CheckedFile }) {
  const client = useQueryClient();
  const [, go] = useLocation();
  const form = useId();
  const { check, text } = found;
  const importing = useMutation({
    mutationFn: (choice: ImportChoice) => importText(text, choice),
    onSuccess: async (story) => {
      await client.invalidateQueries({ queryKey: ofKind('stories') });
      say(`${isolated(story.name)} is imported.`);
      onClose();
      go(opensAt(story.id));
    },
    meta: { quiet: true },
  });
  const isRefused = check.refusals.length > 0;
  return (
    <>
      <div className="dialog-body stack">
        <CheckReport check={check} />
        {!isRefused && (
          <ImportForm
            id={form}
            name={check.story?.name ?? file.name.replace(/\.json$/i, '')}
            onSubmit={(choice) => importing.mutate(choice)}
          />
        )}
        {importing.error !== null && <Failed error={importing.error} />}
      </div>
      <footer className="dialog-foot">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" form={form} look="main" disabled={isRefused || importing.isPending}>
          {importing.isPending ? 'Importing…' : 'Import'}
        </Button>
      </footer>
    </>
  );
}
