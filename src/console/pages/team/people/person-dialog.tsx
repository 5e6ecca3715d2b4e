import type { AdminUser, UpdateUserBody } from '../../../../../clients/typescript/api.js';
import { Field, Input, Tick } from '../../../ui/form/field.js';
import { FormDialog } from '../../../ui/overlay/form-dialog.js';
import { textIn } from '../../../ui/form/form-text.js';

interface PersonDialogProps {
  person: AdminUser;
  isBusy: boolean;
  onClose: () => void;
  onSave: (body: UpdateUserBody) => void;
}

/** Changes the name and the address of a person, and whether they are an owner. */
export function PersonDialog({ person, isBusy, onClose, onSave }: PersonDialogProps) {
  return (
    <FormDialog
      title="Edit the account"
      button="Save"
      isBusy={isBusy}
      onClose={onClose}
      onSend={(form) =>
        onSave({
          email: textIn(form, 'email'),
          first_name: textIn(form, 'first'),
          last_name: textIn(form, 'last'),
          is_owner: textIn(form, 'owner') !== '',
        })
      }
    >
      <Field name="Email address">
        <Input name="email" type="email" required maxLength={255} defaultValue={person.email} />
      </Field>
      <Field name="First name">
        <Input name="first" maxLength={255} defaultValue={person.first_name} />
      </Field>
      <Field name="Last name">
        <Input name="last" maxLength={255} defaultValue={person.last_name} />
      </Field>
      <Tick name="owner" defaultChecked={person.admin}>
        Owner: has full access to this tenant
      </Tick>
    </FormDialog>
  );
}
