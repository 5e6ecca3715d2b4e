import { type FormEvent, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTeamsWith } from '../../../api/signed-in.js';
import { Field, Input, Select } from '../../../ui/form/field.js';
import { textIn } from '../../../ui/form/form-text.js';
import { folderPath, useFolders } from '../stories-data.js';
import type { ImportChoice } from './import-data.js';
import type { ActiveStory } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import { useLater } from '../../../ui/form/use-later.js';
import { type Guard, guardsOf } from '../../story/story-guards.js';

/** The most that one response may hold. */
const PAGE = 500;

/** Why an import cannot replace a story, by its guard. */
const NOT_REPLACED: Record<Guard, string> = {
  locked: 'The newest story with this name is locked, so an import cannot replace it.',
  'change control':
    'The newest story with this name is under change control, so an import cannot replace it.',
};

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

/** Returns the guard of the story that an import of this name would replace; undefined: none is known. */
function useGuardOfReplaced(teamId: number | undefined, name: string): Guard | undefined {
  const wanted = useLater(name.trim());
  const { data } = useQuery({
    queryKey: keys.stories.replaced(teamId, wanted),
    enabled: teamId !== undefined && wanted !== '',
    queryFn: () => findReplaced(teamId ?? 0, wanted),
  });
  return data ? guardsOf(data)[0] : undefined;
}

/** Returns the team's newest story with exactly this name; null if there is none. */
async function findReplaced(teamId: number, name: string): Promise<ActiveStory | null> {
  for (let page: number | null = 1; page !== null; ) {
    // The newest come first. The search finds longer names too, in any letter case.
    const { stories, meta } = await api.stories.list({ team_id: teamId, search: name, page, per_page: PAGE });
    const found = stories.find((story) => story.name === name);
    if (found !== undefined) return found;
    page = meta.next_page_number;
  }
  return null;
}
