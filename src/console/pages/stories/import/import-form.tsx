import { type FormEvent, useState } from 'react';
import { useTeamsWith } from '../../../api/signed-in.js';
import { Field, Input, Select } from '../../../ui/form/field.js';
import { textIn } from '../../../ui/form/form-text.js';
import { folderPath, useFolders } from '../stories-data.js';
import type { ImportChoice } from './import-data.js';
import { NOT_REPLACED, useGuardOfReplaced } from './replaced-story.js';

interface ImportFormProps {
  id: string;
  /** The name that is proposed. */
  name: string;
  onSubmit: (choice: ImportChoice) => void;
}

/** Name, team and folder of an import, and whether it replaces a story of that name. */
export function ImportForm({ id, name: proposed, onSubmit }: ImportFormProps) {
  const teams = useTeamsWith('write');
  const folders = useFolders().data ?? [];
  const [name, setName] = useState(proposed);
  const [team, setTeam] = useState<number>();
  const teamId = team ?? teams[0]?.id;
  const [mode, setMode] = useState('new');
  const guard = useGuardOfReplaced(teamId, name);
  const replaces = mode === 'replace' && guard === undefined;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const folder = textIn(form, 'folder');
    onSubmit({
      name,
      teamId,
      folderId: folder === '' ? undefined : Number(folder),
      replaces,
    });
  };
  return (
    <form id={id} onSubmit={submit} className="import-form">
      <Field name="Name">
        <Input value={name} onChange={({ target }) => setName(target.value)} required maxLength={255} />
      </Field>
      <Field name="Team">
        <Select value={teamId ?? ''} onChange={({ target }) => setTeam(Number(target.value))}>
          {teams.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </Select>
      </Field>
      <Field name="Folder">
        <Select name="folder" key={teamId}>
          <option value="">None</option>
          {folders
            .filter((each) => each.team_id === teamId)
            .map((each) => (
              <option key={each.id} value={each.id}>
                {folderPath(folders, each.id)}
              </option>
            ))}
        </Select>
      </Field>
      <Field
        name="If the team already has a story with this name"
        {...(guard !== undefined && { note: NOT_REPLACED[guard] })}
      >
        <Select value={replaces ? 'replace' : 'new'} onChange={({ target }) => setMode(target.value)}>
          <option value="new">Create another story</option>
          {guard === undefined && (
            <option value="replace">Replace the newest; URLs and events are kept</option>
          )}
        </Select>
      </Field>
    </form>
  );
}
