import { useState } from 'react';
import type { ActiveStory } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useChange } from '../../../api/use-change.js';
import { FormDialog } from '../../../ui/overlay/form-dialog.js';
import { useEdited, useEditor } from '../editor-context.js';
import { changedSettings, type GivenSettings, settingsIn } from './given-settings.js';
import { type SettingAction, SettingsFields } from './settings-fields.js';

/** All settings of a story, or of a draft of it. */
export function SettingsDialog({ story, onClose }: { story: ActiveStory; onClose: () => void }) {
  const { storyId, draftId } = useEditor();
  const saving = useChange(
    (changes: GivenSettings) =>
      api.stories.update({ id: storyId, ...changes, ...(draftId !== undefined && { draft_id: draftId }) }),
    {
      did: 'Settings saved.',
      old: ['story', 'stories', 'drafts', 'names', 'tags'],
      onDone: onClose,
    },
  );
  const isDraft = draftId !== undefined;
  const [runbook, setRunbook] = useState(story.runbook);
  return (
    <FormDialog
      title={isDraft ? 'Settings of the draft' : 'Story settings'}
      about={
        isDraft
          ? 'Name, priority, folder, locks and whether it is enabled belong to the live story. Publishing never changes them.'
          : undefined
      }
      button="Save"
      isBusy={saving.isPending}
      wide
      onClose={onClose}
      onSend={(form) => {
        const changes = changedSettings(story, settingsIn(new FormData(form), isDraft));
        if (Object.keys(changes).length === 0) onClose();
        else saving.mutate(changes);
      }}
    >
      <SettingsFields
        story={story}
        isDraft={isDraft}
        actions={useSavedActions()}
        runbook={runbook}
        onRunbook={setRunbook}
      />
    </FormDialog>
  );
}

/** Returns the actions that the server has. */
function useSavedActions(): SettingAction[] {
  const actions = useEdited(({ draft }) => draft.actions);
  return [...actions.values()].flatMap(({ id, name, type }) => (id ? [{ id, name, type }] : []));
}
