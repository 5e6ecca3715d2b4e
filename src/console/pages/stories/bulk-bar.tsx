import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, FolderInput, Pause, Play } from 'lucide-react';
import type { ActiveStory } from '../../../../clients/typescript/api.js';
import { api, sendText } from '../../api/console-api.js';
import { sentencesOf } from '../../text/problems.js';
import { useMay } from '../../api/signed-in.js';
import { ofKind } from '../../api/keys.js';
import { Button } from '../../ui/form/button.js';
import { nounWords } from '../../ui/words/figures.js';
import { Menu, MenuItem } from '../../ui/overlay/menu.js';
import { say } from '../../ui/overlay/toasts.js';
import { fileNameOf } from './file-name.js';
import { saveFile } from './save-file.js';
import { folderPath, useFolders } from './stories-data.js';
import { isolated } from '../../text/isolated.js';

/** A change that is made to each of the chosen stories. */
interface Work {
  done: string;
  one: (story: ActiveStory) => Promise<unknown>;
}

/** Does the same to all chosen stories. Each is a change of its own: one that fails does not undo the others. */
export function BulkBar({ stories, onDone }: { stories: ActiveStory[]; onDone: () => void }) {
  const client = useQueryClient();
  const teams = new Set(stories.map(({ team_id: team }) => team));
  const mayWrite = useMay('write', ...teams);
  const work = useMutation({
    mutationFn: (given: Work) => doAll(stories, given),
    onSuccess: onDone,
    onSettled: () => client.invalidateQueries({ queryKey: ofKind('stories') }),
  });
  const set = (disabled: boolean, done: string) =>
    work.mutate({ done, one: ({ id }) => api.stories.update({ id, disabled }) });
  const move = (folder: number | null) =>
    work.mutate({ done: 'moved', one: ({ id }) => api.stories.update({ id, folder_id: folder }) });
  return (
    <div className="bulk-bar" role="toolbar" aria-label="Selected stories">
      <strong>{nounWords(stories.length, 'story', 'stories')} selected</strong>
      {mayWrite && (
        <>
          <Button disabled={work.isPending} onClick={() => set(false, 'enabled')}>
            <Play aria-hidden="true" /> Enable
          </Button>
          <Button disabled={work.isPending} onClick={() => set(true, 'disabled')}>
            <Pause aria-hidden="true" /> Disable
          </Button>
          <MoveMenu teams={teams} isBusy={work.isPending} onMove={move} />
        </>
      )}
      <Button disabled={work.isPending} onClick={() => work.mutate({ done: 'exported', one: download })}>
        <Download aria-hidden="true" /> Export
      </Button>
    </div>
  );
}

interface MoveMenuProps {
  /** The teams of the chosen stories: folders are offered if it is one. */
  teams: ReadonlySet<number>;
  isBusy: boolean;
  onMove: (folder: number | null) => void;
}

function MoveMenu({ teams, isBusy, onMove }: MoveMenuProps) {
  const folders = useFolders().data ?? [];
  return (
    <Menu
      button={
        <Button disabled={isBusy}>
          <FolderInput aria-hidden="true" /> Move
        </Button>
      }
    >
      <MenuItem onSelect={() => onMove(null)}>No folder</MenuItem>
      {folders
        .filter(({ team_id: team }) => teams.size === 1 && teams.has(team))
        .map(({ id }) => (
          <MenuItem key={id} onSelect={() => onMove(id)}>
            {folderPath(folders, id)}
          </MenuItem>
        ))}
    </Menu>
  );
}

async function doAll(stories: ActiveStory[], { one, done }: Work) {
  const failures: string[] = [];
  for (const story of stories) {
    try {
      await one(story);
    } catch (error) {
      failures.push(`${isolated(story.name)}: ${sentencesOf(error).join(' ')}`);
    }
  }
  const good = stories.length - failures.length;
  if (good > 0) say(`${nounWords(good, 'story', 'stories')} ${done}.`);
  for (const failure of failures.slice(0, 3)) say(failure, 'bad');
}

async function download({ id, name }: ActiveStory) {
  saveFile(fileNameOf(name), await sendText('GET', `/api/v1/stories/${id}/export`));
}
