import { useQueryClient } from '@tanstack/react-query';
import { Download, FolderInput, PackageOpen, Pause, Play } from 'lucide-react';
import { useState } from 'react';
import type { ActiveStory } from '../../../../clients/typescript/api.js';
import { api, sendText } from '../../api/console-api.js';
import { sentencesOf } from '../../text/problems.js';
import { useMay } from '../../api/signed-in.js';
import { useMutation } from '../../api/use-mutation.js';
import { ofKind } from '../../api/keys.js';
import { Button } from '../../ui/form/button.js';
import { countWords, nounWords } from '../../ui/words/figures.js';
import { Menu, MenuItem } from '../../ui/overlay/menu.js';
import { Question } from '../../ui/overlay/question.js';
import { say } from '../../ui/overlay/toasts.js';
import { fileNameOf } from './file-name.js';
import { saveFile } from './save-file.js';
import { folderPath, useDayOfStories, useFolders } from './stories-data.js';
import { isolated } from '../../text/isolated.js';

/** A change that is made to each of the chosen stories. */
interface Work {
  done: string;
  /** The stories that it is made to. */
  stories: readonly ActiveStory[];
  /** Undoes it, for the stories to which it was made. */
  undo?: (stories: readonly ActiveStory[]) => void;
  one: (story: ActiveStory) => Promise<unknown>;
}

/** Does the same to all chosen stories. Each is a change of its own: one that fails does not undo the others. */
export function BulkBar({ stories, onDone }: { stories: ActiveStory[]; onDone: () => void }) {
  const client = useQueryClient();
  const teams = new Set(stories.map(({ team_id: team }) => team));
  const mayWrite = useMay('write', ...teams);
  const work = useMutation({
    mutationFn: doAll,
    onSuccess: onDone,
    onSettled: () => client.invalidateQueries({ queryKey: ofKind('stories') }),
  });
  const bundling = useMutation({ mutationFn: downloadBundle });
  const [isAsked, setAsked] = useState(false);
  const enable = (those: readonly ActiveStory[]) =>
    work.mutate({
      done: 'enabled',
      stories: those,
      one: ({ id }) => api.stories.update({ id, disabled: false }),
    });
  const disable = () => {
    setAsked(false);
    work.mutate({
      done: 'disabled',
      stories: stories.filter(({ disabled }) => !disabled),
      undo: enable,
      one: ({ id }) => api.stories.update({ id, disabled: true }),
    });
  };
  const move = (folder: number | null) =>
    work.mutate({ done: 'moved', stories, one: ({ id }) => api.stories.update({ id, folder_id: folder }) });
  return (
    <div className="bulk-bar" role="toolbar" aria-label="Selected stories">
      <strong>{nounWords(stories.length, 'story', 'stories')} selected</strong>
      {mayWrite && (
        <>
          <Button disabled={work.isPending} onClick={() => enable(stories)}>
            <Play aria-hidden="true" /> Enable
          </Button>
          <Button disabled={work.isPending} onClick={() => setAsked(true)}>
            <Pause aria-hidden="true" /> Disable
          </Button>
          <MoveMenu teams={teams} isBusy={work.isPending} onMove={move} />
        </>
      )}
      <Button
        disabled={work.isPending}
        onClick={() => work.mutate({ done: 'exported', stories, one: download })}
      >
        <Download aria-hidden="true" /> Export
      </Button>
      <Button
        disabled={bundling.isPending}
        title="For the page Promotions of another tenant"
        onClick={() => bundling.mutate(stories)}
      >
        <PackageOpen aria-hidden="true" /> Bundle
      </Button>
      {isAsked && <DisableAll stories={stories} onClose={() => setAsked(false)} onYes={disable} />}
    </div>
  );
}

interface DisableAllProps {
  stories: readonly ActiveStory[];
  onClose: () => void;
  onYes: () => void;
}

/** Stories that the question names. */
const MOST_NAMED = 8;

/** Asks before several stories are disabled, and says how much they ran. */
function DisableAll({ stories, onClose, onYes }: DisableAllProps) {
  const day = useDayOfStories().data;
  const running = stories.filter(({ disabled }) => !disabled);
  const runs = running.reduce((sum, { id }) => sum + (day?.get(id)?.runs_started ?? 0), 0);
  return (
    <Question
      title={`Disable ${nounWords(running.length, 'story', 'stories')}?`}
      about={`They will not run until they are enabled again: webhooks respond with 404, schedules start nothing, and waiting events stay queued. They ran ${countWords(runs)} times in the last 24 hours.`}
      button="Disable"
      isBusy={false}
      onClose={onClose}
      onYes={onYes}
    >
      <ul>
        {running.slice(0, MOST_NAMED).map(({ id, name }) => (
          <li key={id} className="wrap">
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
      {running.length > MOST_NAMED && <p>and {countWords(running.length - MOST_NAMED)} more</p>}
    </Question>
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

async function doAll({ stories, one, done, undo }: Work) {
  const failures: string[] = [];
  const changed: ActiveStory[] = [];
  for (const story of stories) {
    try {
      await one(story);
      changed.push(story);
    } catch (error) {
      failures.push(`${isolated(story.name)}: ${sentencesOf(error).join(' ')}`);
    }
  }
  if (changed.length > 0) {
    const action = undo && { name: 'Undo', onDo: () => undo(changed) };
    say(`${nounWords(changed.length, 'story', 'stories')} ${done}.`, 'ok', action);
  }
  for (const failure of failures.slice(0, 3)) say(failure, 'bad');
}

async function download({ id, name }: ActiveStory) {
  saveFile(fileNameOf(name), await sendText('GET', `/api/v1/stories/${id}/export`));
}

/** Saves the stories, with those that they call, as one file for another tenant. */
async function downloadBundle(stories: readonly ActiveStory[]) {
  const body = JSON.stringify({ story_ids: stories.map(({ id }) => id) });
  saveFile('bundle.json', await sendText('POST', '/api/v1/promotions/bundle', body));
}
