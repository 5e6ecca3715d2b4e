import { useState } from 'react';
import type { Resource } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { useChange } from '../../api/use-change.js';
import { Field, Input, Tick } from '../../ui/form/field.js';
import { FormDialog } from '../../ui/overlay/form-dialog.js';
import { textIn } from '../../ui/form/form-text.js';
import { isWhole, sharingChange, sharingOf } from './sharing-change.js';
import { SharingField } from './sharing-field.js';

/** Changes what a resource is called, who may use it, and whether drafts see a value of their own. */
export function ResourceDialog({ resource, onClose }: { resource: Resource; onClose: () => void }) {
  const { id, name, description, test_resource: test } = resource;
  const [sharing, setSharing] = useState(sharingOf(resource));
  const [isTestOn, setTestOn] = useState(resource.test_resource_enabled);
  const saving = useChange(
    (given: { name: string; description: string }) =>
      api.globalResources.update({
        id,
        ...given,
        ...sharingChange(resource, sharing),
        ...(test !== null && { test_resource_enabled: isTestOn }),
      }),
    { did: 'Settings saved.', old: ['resources'], onDone: onClose },
  );
  return (
    <FormDialog
      title="Settings"
      about="Templates refer to a resource by name. Renaming it breaks those templates."
      button="Save"
      isBusy={saving.isPending || !isWhole(sharing)}
      onClose={onClose}
      onSend={(form) =>
        saving.mutate({ name: textIn(form, 'name'), description: textIn(form, 'description') })
      }
    >
      <Field name="Name">
        <Input name="name" defaultValue={name} required maxLength={255} />
      </Field>
      <Field name="Description">
        <Input name="description" defaultValue={description} maxLength={10_000} />
      </Field>
      <SharingField teamId={resource.team_id} sharing={sharing} onChange={setSharing} />
      {test !== null && (
        <Tick checked={isTestOn} onChange={({ target }) => setTestOn(target.checked)}>
          Use the draft value in story drafts
        </Tick>
      )}
    </FormDialog>
  );
}
