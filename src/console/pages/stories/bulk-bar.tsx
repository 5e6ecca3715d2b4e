import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, FolderInput, Pause, Play } from 'lucide-react';
import type { ActiveStory } from '../../../../clients/typescript/api.js';
import { api, sendText } from '../../api/console-api.js';
import { sentencesOf } from '../../api/problems.js';
import { Button } from '../../ui/form/button.js';
import { nounWords } from '../../ui/words/figures.js';
import { Menu, MenuItem } from '../../ui/overlay/menu.js';
import { say } from '../../ui/overlay/toasts.js';
import { fileNameOf } from './file-name.js';
import { saveFile } from './save-file.js';
import { folderPath, useFolders } from './stories-data.js';

/** A change that is made to each of the chosen stories. */
interface Work {
  done: string;
  one: (story: ActiveStory) => Promise<unknown>;
}

/** Does the same to all chosen stories. Each is a change of its own: one that fails does not undo the others. */
export function BulkBar({ stories, onDone }: { stories: ActiveStory[]; onDone: () => void }) {
  const client = useQueryClient();
  const folders = useFolders().data ?? [];
  const teams = new Set(stories.map(({ team_id: team }) => team));
  const work = useMutation({
    mutationFn: (given: Work) => doAll(stories, given),
    onSuccess: onDone,
    onSettled: () => client.invalidateQueries({ queryKey: ['stories'] }),
  });
  const set = (disabled: boolean, done: string) =>
    work.mutate({ done, one: ({ id }) => api.updateStory({ id, disabled }) });
  const move = (folder: number | null) =>
    work.mutate({ done: 'moved', one: ({ id }) => api.updateStory({ id, folder_id: folder }) });
  return (
    <div className="bulk-bar" role="toolbar" aria-label="Chosen stories">
      <strong className="grow">{nounWords(stories.length, 'story', 'stories')} chosen</strong>
      <Button disabled={work.isPending} onClick={() => set(false, 'enabled')}>
        <Play aria-hidden="true" /> Enable
      </Button>
      <Button disabled={work.isPending} onClick={() => set(true, 'disabled')}>
        <Pause aria-hidden="true" /> Disable
      </Button>
      <Menu
        button={
          <Button disabled={work.isPending}>
            <FolderInput aria-hidden="true" /> Move
          </Button>
        }
      >
        <MenuItem onSelect={() => move(null)}>To no folder</MenuItem>
        {folders
          .filter(({ team_id: team }) => teams.size === 1 && teams.has(team))
          .map(({ id }) => (
            <MenuItem key={id} onSelect={() => move(id)}>
              {folderPath(folders, id)}
            </MenuItem>
          ))}
      </Menu>
      <Button disabled={work.isPending} onClick={() => work.mutate({ done: 'exported', one: download })}>
        <Download aria-hidden="true" /> Export
      </Button>
    </div>
  );
}

async function doAll(stories: ActiveStory[], { one, done }: Work) {
  const failures: string[] = [];
  for (const story of stories) {
    try {
      await one(story);
    } catch (error) {
      failures.push(`${story.name}: ${sentencesOf(error).join(' ')}`);
    }
  }
  const good = stories.length - failures.length;
  if (good > 0) say(`${nounWords(good, 'story', 'stories')} ${done}.`);
  for (const failure of failures.slice(0, 3)) say(failure, 'bad');
}

async function download({ id, name }: ActiveStory) {
  saveFile(fileNameOf(name), await sendText('GET', `/api/v1/stories/${id}/export`));
}
