import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Team, TeamRepository } from '../../../../../../clients/typescript/api.js';
import { api } from '../../../../api/console-api.js';
import { keys } from '../../../../api/keys.js';
import { useChange } from '../../../../api/use-change.js';
import { Field, Input, Select, TextArea } from '../../../../ui/form/field.js';
import { textIn } from '../../../../ui/form/form-text.js';
import { FormDialog } from '../../../../ui/overlay/form-dialog.js';
import { Failed } from '../../../../ui/states.js';

/** The most that one answer may hold. */
const MOST_CREDENTIALS = 500;

interface RepositoryDialogProps {
  team: Team;
  repository: TeamRepository | undefined;
  onClose: () => void;
}

/** Asks where the stories of a team are kept in git, and how they are synced. */
export function RepositoryDialog({ team, repository, onClose }: RepositoryDialogProps) {
  const [url, setUrl] = useState(repository?.url ?? '');
  const isSsh = /^ssh:|^[^/:]+@/.test(url.trim());
  const credentials = useQuery({
    queryKey: keys.credentials('', team.id, undefined, 1, 'of-repository'),
    queryFn: async () =>
      (await api.userCredentials.list({ team_id: team.id, per_page: MOST_CREDENTIALS })).user_credentials,
  });
  const saving = useChange((body: RepositoryBody) => api.teams.repository.update({ id: team.id, ...body }), {
    did: 'Repository saved.',
    old: ['people'],
    onDone: onClose,
  });
  const texts = (credentials.data ?? []).filter(({ mode }) => mode === 'TEXT');
  const used = repository?.credential_id ?? null;
  const [credential, setCredential] = useState(used);
  return (
    <FormDialog
      title="Git repository"
      about="Another address, branch or folder begins the sync anew."
      button="Save"
      isBusy={saving.isPending}
      onClose={onClose}
      onSend={(form) => saving.mutate(bodyOf(form, repository))}
    >
      <Field name="Address" note="https://HOST/PATH or git@HOST:PATH, without a password">
        <Input
          name="url"
          required
          maxLength={1000}
          value={url}
          onChange={({ target }) => setUrl(target.value)}
        />
      </Field>
      <Field name="Branch">
        <Input name="branch" required maxLength={200} defaultValue={repository?.branch ?? 'main'} />
      </Field>
      <Field name="Folder" note="Empty: the root of the repository">
        <Input name="folder" maxLength={500} defaultValue={repository?.folder ?? 'stories'} />
      </Field>
      <Field name="Credential" note={isSsh ? 'A private key' : 'A token, or USER:PASSWORD'}>
        <Select
          name="credential"
          value={credential ?? ''}
          onChange={({ target }) => setCredential(target.value === '' ? null : Number(target.value))}
        >
          <option value="">None</option>
          {used !== null && !texts.some(({ id }) => id === used) && (
            <option value={used}>The present one</option>
          )}
          {texts.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      {credentials.data === undefined && credentials.error !== null && (
        <Failed error={credentials.error} retry={credentials.refetch} />
      )}
      {isSsh && (
        <Field
          name="Keys of the host"
          note="As ssh-keyscan prints them. Compare them with those that the host publishes."
        >
          <TextArea
            name="host_keys"
            required
            rows={3}
            maxLength={20_000}
            defaultValue={repository?.host_keys ?? ''}
          />
        </Field>
      )}
      <Field name="Direction">
        <Select name="direction" defaultValue={repository?.direction ?? 'both'}>
          <option value="both">Pull and push</option>
          <option value="pull">Pull only</option>
          <option value="push">Push only</option>
        </Select>
      </Field>
      <Field name="Pushed as">
        <Select name="way" defaultValue={repository?.way ?? 'direct'}>
          <option value="direct">Commits on the branch</option>
          <option value="pull_request">A branch for each story, for a pull request</option>
        </Select>
      </Field>
      <Field name="New files">
        <Select name="layout" defaultValue={repository?.layout ?? 'file'}>
          <option value="file">One file for each story</option>
          <option value="folder">A folder for each story, one file for each action</option>
        </Select>
      </Field>
    </FormDialog>
  );
}

type RepositoryBody = Omit<Parameters<typeof api.teams.repository.update>[0], 'id'>;

function bodyOf(form: HTMLFormElement, repository: TeamRepository | undefined): RepositoryBody {
  const chosen = <Value extends string>(name: string, values: readonly Value[]): Value => {
    const text = textIn(form, name);
    return values.find((value) => value === text) ?? (values[0] as Value);
  };
  const credential = Number(textIn(form, 'credential'));
  return {
    url: textIn(form, 'url').trim(),
    branch: textIn(form, 'branch').trim(),
    folder: textIn(form, 'folder').trim(),
    credential_id: credential === 0 ? null : credential,
    host_keys: form.elements.namedItem('host_keys') === null ? '' : textIn(form, 'host_keys'),
    direction: chosen('direction', ['both', 'pull', 'push']),
    way: chosen('way', ['direct', 'pull_request']),
    layout: chosen('layout', ['file', 'folder']),
    format: repository?.format ?? 'yaml',
  };
}
