import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../../ui/form/button.js';
import { editorAddress } from '../../editor/editor-address.js';
import { type Place, useDrafts, useStory } from '../story-data.js';
import { useHasRun } from './edit-data.js';
import { ChooseDraft } from './choose-draft.js';

/**
 * Opens the editor. A draft is edited as it is, and so is a story that never ran and has no draft; for any other one, the
 * person chooses.
 */
export function EditButton({ place }: { place: Place }) {
  const { storyId, draftId } = place;
  const [isOpen, setOpen] = useState(false);
  const [, go] = useLocation();
  const story = useStory(storyId).data;
  const drafts = useDrafts(storyId).data;
  const hasRun = useHasRun(storyId, draftId === undefined);
  const isKnown = draftId !== undefined || (drafts !== undefined && hasRun !== undefined);
  const isPlain =
    hasRun === false && drafts?.length === 0 && !story?.change_control_enabled && !story?.locked;
  const edit = () => {
    if (draftId !== undefined || isPlain) go(editorAddress(storyId, { draft: draftId }));
    else setOpen(true);
  };
  return (
    <>
      <Button look="main" disabled={!isKnown} onClick={edit}>
        <Pencil aria-hidden="true" /> Edit
      </Button>
      {isOpen && <ChooseDraft storyId={storyId} onClose={() => setOpen(false)} />}
    </>
  );
}
