import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PromotionDetails, PromotionMapping } from '../../../../clients/typescript/api.js';
import { useChange } from '../../api/use-change.js';
import { keys } from '../../api/keys.js';
import { Button } from '../../ui/form/button.js';
import { Field, Input } from '../../ui/form/field.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { Answer } from '../../ui/states.js';
import { useLater } from '../../ui/form/use-later.js';
import { MappingForm } from './mapping-form.js';
import {
  type BundleFile,
  checkBundle,
  promoteBundle,
  readBundle,
  type StoryChoice,
} from './promotions-data.js';
import { StoryChecks } from './story-checks.js';

interface PromoteDialogProps {
  file: File;
  onDone: (promotion: PromotionDetails) => void;
  onClose: () => void;
}

/** Shows what a bundle would change here, with what can be mapped and chosen, and promotes it once that is confirmed. */
export function PromoteDialog({ file, onDone, onClose }: PromoteDialogProps) {
  const bundle = useQuery({
    queryKey: keys.promotions.file(file),
    queryFn: () => readBundle(file),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const from = bundle.data === undefined || bundle.data.tenant === '' ? '' : ` of ${bundle.data.tenant}`;
  return (
    <Dialog
      title={`Promote ${file.name}${from}`}
      about="Nothing is changed until you confirm."
      wide
      onClose={onClose}
    >
      <Answer of={bundle} lines={6}>
        {(read) => <Confirm bundle={read} file={file} onDone={onDone} onClose={onClose} />}
      </Answer>
    </Dialog>
  );
}

const NO_MAPPING: PromotionMapping = { teams: {}, credentials: {}, resources: {}, webhook_paths: {} };

function Confirm({ bundle, file, onDone, onClose }: PromoteDialogProps & { bundle: BundleFile }) {
  const [name, setName] = useState('');
  const [mapping, setMapping] = useState(NO_MAPPING);
  const [stories, setStories] = useState<Readonly<Record<string, StoryChoice>>>({});
  const order = { mapping: useLater(mapping), stories };
  const leftOut = bundle.stories.filter(({ guid }) => stories[guid]?.isLeftOut === true);
  const isEmpty = leftOut.length > 0 && leftOut.length === bundle.stories.length;
  const check = useQuery({
    queryKey: keys.promotions.check(file, order),
    queryFn: () => checkBundle(bundle, order),
    placeholderData: keepPreviousData,
    enabled: !isEmpty,
    gcTime: 0,
    retry: false,
  });
  const promoting = useChange(() => promoteBundle(bundle, { ...order, name: name.trim() }), {
    did: 'The stories are promoted.',
    old: ['promotions', 'stories', 'story', 'graph', 'versions', 'record-types'],
    onDone,
  });
  const isKnown = check.data?.ok === true && !check.isPlaceholderData && !isEmpty;
  const isReady = isKnown && order.mapping === mapping && !promoting.isPending;
  const choose = (guid: string, choice: StoryChoice) => setStories({ ...stories, [guid]: choice });
  return (
    <>
      <div className="dialog-body stack">
        <Field name="Name of the promotion (optional)">
          <Input
            value={name}
            placeholder={`Promotion from ${bundle.tenant || 'a bundle'}`}
            onChange={({ target }) => setName(target.value)}
            maxLength={255}
          />
        </Field>
        <MappingForm needs={bundle.needs} mapping={mapping} onMap={setMapping} />
        <Answer of={check} lines={6}>
          {(found) => <StoryChecks check={found} choices={stories} onChoose={choose} />}
        </Answer>
        {leftOut.length > 0 && (
          <section className="promoted-story" aria-label="Left out">
            <h3>Left out</h3>
            <ul className="promoted-lines">
              {leftOut.map(({ guid, name }) => (
                <li key={guid} className="row row-wrap">
                  <bdi className="wrap">{name}</bdi>
                  <Button
                    look="quiet"
                    aria-label={`Promote ${name} too`}
                    onClick={() => choose(guid, { ...stories[guid], isLeftOut: false })}
                  >
                    Promote it too
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        )}
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
