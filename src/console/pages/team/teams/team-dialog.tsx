import { Field, Input } from '../../../ui/form/field.js';
import { FormDialog } from '../../../ui/overlay/form-dialog.js';
import { textIn } from '../../../ui/form/form-text.js';

interface TeamDialogProps {
  title: string;
  name?: string;
  button: string;
  isBusy: boolean;
  onClose: () => void;
  onSave: (name: string) => void;
}

/** Asks for the name of a team. */
export function TeamDialog({ title, name = '', button, isBusy, onClose, onSave }: TeamDialogProps) {
  return (
    <FormDialog
      title={title}
      about="Stories, resources, credentials and cases belong to a team and are visible to its members."
      button={button}
      isBusy={isBusy}
      onClose={onClose}
      onSend={(form) => onSave(textIn(form, 'name'))}
    >
      <Field name="Name">
        <Input name="name" required maxLength={255} defaultValue={name} />
      </Field>
    </FormDialog>
  );
}
