import { useState } from 'react';
import type { UpdateUserCredentialBody, UserCredential } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useChange } from '../../../api/use-change.js';
import { Field, Input, Tick } from '../../../ui/form/field.js';
import { FormDialog } from '../../../ui/overlay/form-dialog.js';
import { textIn } from '../../../ui/form/form-text.js';
import { isWhole, sharingChange, sharingOf } from '../../resources/sharing-change.js';
import { SharingField } from '../../resources/sharing-field.js';
import { KINDS } from '../credential-kinds.js';
import { HostsField } from '../hosts-field.js';
import { SettingFields } from '../setting-fields.js';
import { hostsIn, namesNewHost, settingsIn } from '../settings-in.js';

/** Changes what a credential is called, where it may be sent, and who may use it. */
export function CredentialDialog(props: { credential: UserCredential; onClose: () => void }) {
  const { credential, onClose } = props;
  const { id, name, description, allowed_hosts: hosts, test_credential: test } = credential;
  const [sharing, setSharing] = useState(sharingOf(credential));
  const [isWider, setWider] = useState(false);
  const [fault, setFault] = useState<string>();
  const secrets = KINDS[credential.mode].settings.filter(({ isSecret }) => isSecret);
  const saving = useChange((body: UpdateUserCredentialBody) => api.userCredentials.update({ id, ...body }), {
    did: 'Settings saved.',
    old: ['credentials'],
    onDone: onClose,
  });
  const send = (form: HTMLFormElement) => {
    const given = settingsIn(form, isWider ? secrets : []);
    setFault(given.fault);
    if (given.fault !== undefined) return;
    saving.mutate({
      ...given.values,
      name: textIn(form, 'name'),
      description: textIn(form, 'description'),
      allowed_hosts: hostsIn(textIn(form, 'hosts')),
      ...sharingChange(credential, sharing),
      ...(test !== null && { test_credential_enabled: textIn(form, 'test') !== '' }),
    });
  };
  return (
    <FormDialog
      title="Settings"
      about="Templates refer to a credential by name. Renaming it breaks those templates."
      button="Save"
      isBusy={saving.isPending || !isWhole(sharing)}
      onClose={onClose}
      onSend={send}
    >
      <Field name="Name">
        <Input name="name" defaultValue={name} required maxLength={255} />
      </Field>
      <Field name="Description">
        <Input name="description" defaultValue={description} maxLength={10_000} />
      </Field>
      <HostsField hosts={hosts} onText={(text) => setWider(namesNewHost(text, hosts))} />
      {isWider && (
        <>
          <p>To allow another host, enter the secret again: it cannot be read back.</p>
          <SettingFields settings={secrets} present={{}} />
        </>
      )}
      <SharingField teamId={credential.team_id} sharing={sharing} onChange={setSharing} />
      {test !== null && (
        <Tick name="test" defaultChecked={credential.test_credential_enabled}>
          Use the test secret in story drafts
        </Tick>
      )}
      {fault !== undefined && (
        <p className="bad wrap" role="alert">
          {fault}
        </p>
      )}
    </FormDialog>
  );
}
