import { Settings2 } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../../api/signed-in.js';
import { IconButton } from '../../../ui/form/button.js';
import { useStory } from '../../story/story-data.js';
import { useEditor } from '../editor-context.js';
import { SettingsDialog } from './settings-dialog.js';

/** Opens the settings of the story under edit. */
export function SettingsButton() {
  const { storyId, draftId, teamId } = useEditor();
  const story = useStory(draftId ?? storyId).data;
  const mayWrite = useMay('write', teamId);
  const [isOpen, setOpen] = useState(false);
  if (!mayWrite || story === undefined) return null;
  return (
    <>
      <IconButton label="Story settings" onClick={() => setOpen(true)}>
        <Settings2 />
      </IconButton>
      {isOpen && <SettingsDialog story={story} onClose={() => setOpen(false)} />}
    </>
  );
}
