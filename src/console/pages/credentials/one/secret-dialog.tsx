import { useState } from 'react';
import type { UpdateUserCredentialBody, UserCredential } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useChange } from '../../../api/use-change.js';
import { Dialog } from '../../../ui/overlay/dialog.js';
import { FormDialog } from '../../../ui/overlay/form-dialog.js';
import { KINDS } from '../credential-kinds.js';
import { SettingFields } from '../setting-fields.js';
import { settingsIn } from '../settings-in.js';
import { AllowAccess } from './allow-access.js';

interface SecretDialogProps {
  credential: UserCredential;
  isTest: boolean;
  onClose: () => void;
}

/** Replaces settings of a credential, or gives it a test secret. What stays empty stays as it is. */
export function SecretDialog({ credential, isTest, onClose }: SecretDialogProps) {
  const { id, mode, test_credential: test } = credential;
  const [fault, setFault] = useState<string>();
  const [redirect, setRedirect] = useState<string>();
  const saving = useChange((body: UpdateUserCredentialBody) => api.userCredentials.update({ id, ...body }), {
    did: 'Saved. Stories use the new value within five seconds.',
    old: ['credentials'],
    onDone: ({ redirect_url: address }) => (address === undefined ? onClose() : setRedirect(address)),
  });
  const { settings } = KINDS[mode];
  const present = isTest ? test : credential;
  const send = (form: HTMLFormElement) => {
    const given = settingsIn(form, settings);
    setFault(given.fault);
    if (given.fault === undefined) saving.mutate({ ...given.values, ...(isTest && { is_test: true }) });
  };
  if (redirect !== undefined) {
    return (
      <Dialog title="Authorize access" onClose={onClose}>
        <AllowAccess address={redirect} onLater={onClose} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      wide
      title={isTest ? 'Test secret' : 'Replace the secret'}
      about={
        present === null
          ? 'Story drafts use it instead of the secret.'
          : 'Secret fields are empty because secrets cannot be read. Leave a field empty to keep its value. Changing a URL requires the secrets again.'
      }
      button="Save"
      isBusy={saving.isPending}
      onClose={onClose}
      onSend={send}
    >
      <SettingFields settings={settings} {...(present !== null && { present: { ...present } })} />
      {fault !== undefined && (
        <p className="bad wrap" role="alert">
          {fault}
        </p>
      )}
    </FormDialog>
  );
}
