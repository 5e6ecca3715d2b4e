import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ActiveStory } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import { useMay } from '../../../api/signed-in.js';
import { useChange } from '../../../api/use-change.js';
import { isChanged, requireUnchanged, useKeptEdit } from '../../../api/use-kept-edit.js';
import { Button } from '../../../ui/form/button.js';
import { NewerText } from '../../../ui/form/newer-text.js';
import { Card } from '../../../ui/card.js';
import { Markdown } from '../../../ui/markdown/markdown.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { usePeople } from '../../cases/cases-data.js';
import {
  changedSettings,
  type GivenSettings,
  settingsIn,
  withSettings,
} from '../../editor/settings/given-settings.js';
import { SettingsFields } from '../../editor/settings/settings-fields.js';
import { OwnerName } from '../owner-name.js';
import { type Place, useGraph, useStory } from '../story-data.js';
import { type SettingsEdit, useKeptSettings } from './kept-settings.js';
import type { TabProps } from './tab-props.js';

/** The runbook of the story, and all its settings; those of the chosen draft. */
export function SettingsTab({ place }: TabProps) {
  return (
    <div className="page">
      <Answer of={useStory(place.draftId ?? place.storyId)} lines={8}>
        {(edited) => (
          <>
            <Runbook story={edited} />
            <Settings key={edited.id} place={place} story={edited} />
          </>
        )}
      </Answer>
    </div>
  );
}

function Runbook({ story: { owner, runbook } }: { story: ActiveStory }) {
  const people = usePeople().data ?? [];
  return (
    <Card
      title="Runbook"
      aside={owner === null ? <span className="faint">no owner</span> : <OwnerName owner={owner} />}
    >
      {runbook.trim() === '' ? (
        <Nothing title="No runbook yet.">
          <p>Describe below what to do when the story fails. Failure mails quote it.</p>
        </Nothing>
      ) : (
        <div className="story-runbook">
          <Markdown
            text={runbook}
            nameOf={(id) => people.find((person) => person.id === id)?.name ?? `user ${id}`}
          />
        </div>
      )}
    </Card>
  );
}

/** The form; while nothing in it is changed, it follows the story. What is changed stays until it is saved or discarded. */
function Settings({ place, story }: { place: Place; story: ActiveStory }) {
  const { storyId, draftId } = place;
  const isDraft = draftId !== undefined;
  const client = useQueryClient();
  const [edit, keep] = useKeptSettings(story.id);
  const [{ base, changes: begun, opened }, setForm] = useState<SettingsEdit & { opened: number }>({
    base: story,
    changes: {},
    ...edit,
    opened: 0,
  });
  const runbook = useKeptEdit(`story.${story.id}.runbook`, story.runbook);
  const isDirty = edit !== undefined || runbook.base !== undefined;
  const actions = useGraph(place).data?.actions;
  const mayWrite = useMay('write', story.team_id);
  const follow = (next: ActiveStory) => setForm({ base: next, changes: {}, opened: opened + 1 });
  const forget = (next: ActiveStory) => {
    runbook.forget();
    keep(undefined);
    follow(next);
  };
  const saving = useChange(
    async (changes: GivenSettings) => {
      // A colleague may have saved since the page was told last.
      if (changes.runbook !== undefined)
        requireUnchanged('runbook', (await api.stories.get({ id: story.id })).runbook, runbook);
      const draft = draftId !== undefined && { draft_id: draftId };
      return await api.stories.update({ id: storyId, ...changes, ...draft });
    },
    {
      did: 'Settings saved.',
      old: ['story', 'stories', 'drafts', 'names', 'tags'],
      onDone: (saved) => {
        client.setQueryData(keys.story(story.id).self, saved);
        forget(saved);
      },
    },
  );
  const form = useRef<HTMLFormElement>(null);
  const changesIn = (element: HTMLFormElement) => {
    const { runbook: _runbook, ...given } = settingsIn(new FormData(element), isDraft);
    return changedSettings(base, given);
  };
  const [typed, setTyped] = useState(0);
  // After the fields that a choice shows are there.
  const keepTyped = useEffectEvent(() => {
    const changes = form.current === null ? {} : changesIn(form.current);
    keep(Object.keys(changes).length === 0 ? undefined : { base, changes });
  });
  useEffect(() => {
    if (typed > 0) keepTyped();
  }, [typed]);
  useWarning(isDirty);
  const isOther = story.updated_at !== base.updated_at;
  if (isOther && !isDirty && !saving.isPending) follow(story);
  if (actions === undefined) return null;
  return (
    <Card title={isDraft ? 'Settings of the draft' : 'Settings'}>
      {isOther && isDirty && (
        <p className="story-settings row row-wrap" role="status">
          <span className="grow">
            The settings were changed in the meantime. Saving changes only what you changed.
          </span>
          <Button onClick={() => forget(story)}>Discard mine</Button>
        </p>
      )}
      <form
        key={opened}
        ref={form}
        className="story-settings"
        onChange={() => setTyped(typed + 1)}
        onSubmit={(event) => {
          event.preventDefault();
          const changes = {
            ...changesIn(event.currentTarget),
            ...(isChanged(runbook) && { runbook: runbook.text }),
          };
          if (Object.keys(changes).length > 0) saving.mutate(changes);
          else forget(story);
        }}
      >
        <fieldset className="story-fields stack" disabled={!mayWrite}>
          <SettingsFields
            story={withSettings(base, begun)}
            isDraft={isDraft}
            hasSwitch
            teamId={begun.team_id}
            actions={actions}
            runbook={runbook.text}
            onRunbook={runbook.setText}
          />
        </fieldset>
        {runbook.isContested && (
          <NewerText noun="runbook" newer={story.runbook} onTake={runbook.forget} onKeep={runbook.keepMine} />
        )}
        {mayWrite && (
          <footer className="row">
            <Button type="submit" look="main" disabled={saving.isPending || !isDirty || runbook.isContested}>
              Save
            </Button>
            {isDirty && <Button onClick={() => forget(story)}>Discard changes</Button>}
          </footer>
        )}
      </form>
    </Card>
  );
}

/** Asks before the tab of the browser is closed, which ends what is kept for it. */
function useWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isDirty]);
}
