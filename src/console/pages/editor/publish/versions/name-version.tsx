import type { StoryVersion } from '../../../../../../clients/typescript/api.js';
import { api } from '../../../../api/console-api.js';
import { useChange } from '../../../../api/use-change.js';
import { Field, Input } from '../../../../ui/form/field.js';
import { textIn } from '../../../../ui/form/form-text.js';
import { FormDialog } from '../../../../ui/overlay/form-dialog.js';

interface NameVersionProps {
  storyId: number;
  version: StoryVersion;
  onClose: () => void;
}

/** Gives a version a name; versions with a name are kept longer. */
export function NameVersion({ storyId, version, onClose }: NameVersionProps) {
  const naming = useChange(
    (name: string) => api.stories.versions.update({ id: storyId, version_id: version.id, name }),
    { old: ['versions'], onDone: onClose },
  );
  return (
    <FormDialog
      title={`Name version ${version.number}`}
      about="Named versions are kept longer."
      button="Save"
      isBusy={naming.isPending}
      onClose={onClose}
      onSend={(form) => naming.mutate(textIn(form, 'name'))}
    >
      <Field name="Name">
        <Input name="name" maxLength={255} defaultValue={version.name ?? ''} />
      </Field>
    </FormDialog>
  );
}
