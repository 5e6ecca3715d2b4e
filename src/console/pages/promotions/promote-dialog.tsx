import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PromotionCheck, PromotionMapping } from '../../../../clients/typescript/api.js';
import { useChange } from '../../api/use-change.js';
import { keys } from '../../api/keys.js';
import { Button } from '../../ui/form/button.js';
import { Field, Input } from '../../ui/form/field.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { Answer } from '../../ui/states.js';
import { useLater } from '../../ui/form/use-later.js';
import { MappingForm } from './mapping-form.js';
import { type BundleFile, checkBundle, promoteBundle, readBundle } from './promotions-data.js';
import { StoryChecks } from './story-checks.js';

interface PromoteDialogProps {
  file: File;
  onClose: () => void;
}

/** Shows what a bundle would change here, with the names to map, and promotes it once that is confirmed. */
export function PromoteDialog({ file, onClose }: PromoteDialogProps) {
  const bundle = useQuery({
    queryKey: keys.promotions.file(file),
    queryFn: () => readBundle(file),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return (
    <Dialog
      title={`Promote ${file.name}`}
      about="Nothing is changed until you confirm."
      wide
      onClose={onClose}
    >
      <Answer of={bundle} lines={6}>
        {(read) => <Confirm bundle={read} file={file} onClose={onClose} />}
      </Answer>
    </Dialog>
  );
}

const NO_MAPPING: PromotionMapping = { teams: {}, credentials: {}, resources: {}, webhook_paths: {} };

function Confirm({ bundle, file, onClose }: PromoteDialogProps & { bundle: BundleFile }) {
  const [mapping, setMapping] = useState(NO_MAPPING);
  const [reason, setReason] = useState('');
  const choice = { mapping: useLater(mapping), reason: useLater(reason.trim()) };
  const isTyped = choice.mapping !== mapping || choice.reason !== reason.trim();
  const check = useQuery({
    queryKey: keys.promotions.check(file, choice),
    queryFn: () => checkBundle(bundle, choice),
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });
  const promoting = useChange(() => promoteBundle(bundle, choice), {
    did: 'The stories are promoted.',
    old: ['promotions', 'stories', 'story', 'graph', 'versions', 'record-types'],
    onDone: onClose,
  });
  const isKnown = check.data?.ok === true && !check.isPlaceholderData;
  const isReady = isKnown && !isTyped && !promoting.isPending;
  return (
    <>
      <div className="dialog-body stack">
        <MappingForm needs={bundle.needs} mapping={mapping} onMap={setMapping} />
        <Answer of={check} lines={6}>
          {(found) => (
            <>
              <StoryChecks check={found} />
              {(hasConflicts(found) || reason !== '') && (
                <Field
                  name="Reason to overwrite"
                  note="Stories with conflicts become as in the bundle. The reason is kept with the promotion."
                >
                  <Input value={reason} onChange={({ target }) => setReason(target.value)} maxLength={500} />
                </Field>
              )}
            </>
          )}
        </Answer>
      </div>
      <footer className="dialog-foot">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="main" disabled={!isReady} onClick={() => promoting.mutate(undefined)}>
          {promoting.isPending ? 'Promoting…' : 'Promote'}
        </Button>
      </footer>
    </>
  );
}

const hasConflicts = ({ stories }: PromotionCheck) => stories.some(({ conflict_count: count }) => count > 0);
