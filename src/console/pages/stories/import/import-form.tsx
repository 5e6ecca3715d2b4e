import { type FormEvent, useState } from 'react';
import { useTeamsWith } from '../../../app/signed-in.js';
import { Field, Input, Select } from '../../../ui/form/field.js';
import { textIn } from '../../../ui/form/form-text.js';
import { folderPath, useFolders } from '../stories-data.js';
import type { ImportChoice } from './import-data.js';

interface ImportFormProps {
  id: string;
  name: string;
  onSubmit: (choice: ImportChoice) => void;
}

/** Name, team and folder of an import, and whether it replaces a story of that name. */
export function ImportForm({ id, name, onSubmit }: ImportFormProps) {
  const teams = useTeamsWith('write');
  const folders = useFolders().data ?? [];
  const [team, setTeam] = useState<number>();
  const teamId = team ?? teams[0]?.id;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const folder = textIn(form, 'folder');
    onSubmit({
      name: textIn(form, 'name'),
      teamId,
      folderId: folder === '' ? undefined : Number(folder),
      replaces: textIn(form, 'mode') === 'replace',
    });
  };
  return (
    <form id={id} onSubmit={submit} className="import-form">
      <Field name="Name">
        <Input name="name" defaultValue={name} required maxLength={255} />
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
      <Field name="If the team has a story of this name">
        <Select name="mode">
          <option value="new">Make another one</option>
          <option value="replace">Replace the newest; addresses and events stay</option>
        </Select>
      </Field>
    </form>
  );
}
