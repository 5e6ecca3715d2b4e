import { useState } from 'react';
import type { ActiveStory } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useMay } from '../../../api/signed-in.js';
import { useChange } from '../../../api/use-change.js';
import { useKeptText } from '../../../api/use-kept-text.js';
import { Button } from '../../../ui/form/button.js';
import { Card } from '../../../ui/card.js';
import { Markdown } from '../../../ui/markdown/markdown.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { usePeople } from '../../cases/cases-data.js';
import { changedSettings, type GivenSettings, settingsIn } from '../../editor/settings/given-settings.js';
import { SettingsFields } from '../../editor/settings/settings-fields.js';
import { OwnerName } from '../owner-name.js';
import { type Place, useGraph, useStory } from '../story-data.js';
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
          <p>Describe in the settings what to do when the story fails. Failure mails quote it.</p>
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

/** The form; while nothing in it is changed, it follows the story. */
function Settings({ place, story }: { place: Place; story: ActiveStory }) {
  const { storyId, draftId } = place;
  const [base, setBase] = useState(story);
  const [runbook, setRunbook, forgetRunbook] = useKeptText(`story.${story.id}.runbook`, base.runbook);
  const [isDirty, setDirty] = useState(runbook !== base.runbook);
  const actions = useGraph(place).data?.actions;
  const mayWrite = useMay('write', story.team_id);
  const follow = (next: ActiveStory) => {
    forgetRunbook();
    setDirty(false);
    setBase(next);
  };
  const saving = useChange(
    (changes: GivenSettings) =>
      api.stories.update({ id: storyId, ...changes, ...(draftId !== undefined && { draft_id: draftId }) }),
    {
      did: 'The settings are saved.',
      old: ['story', 'stories', 'drafts', 'names', 'tags'],
      onDone: follow,
    },
  );
  const isOther = story.updated_at !== base.updated_at;
  if (isOther && !isDirty && !saving.isPending) setBase(story);
  if (actions === undefined) return null;
  const isDraft = draftId !== undefined;
  return (
    <Card title={isDraft ? 'Settings of the draft' : 'Settings'}>
      {isOther && isDirty && (
        <p className="story-settings row row-wrap" role="status">
          <span className="grow">
            The settings were changed meanwhile. Saving changes only what you changed.
          </span>
          <Button onClick={() => follow(story)}>Discard mine</Button>
        </p>
      )}
      <form
        key={base.updated_at}
        className="story-settings"
        onInput={() => setDirty(true)}
        onSubmit={(event) => {
          event.preventDefault();
          const changes = changedSettings(base, settingsIn(new FormData(event.currentTarget), isDraft));
          if (Object.keys(changes).length > 0) saving.mutate(changes);
          else follow(story);
        }}
      >
        <fieldset className="story-fields stack" disabled={!mayWrite}>
          <SettingsFields
            story={base}
            isDraft={isDraft}
            hasSwitch
            actions={actions}
            runbook={runbook}
            onRunbook={setRunbook}
          />
        </fieldset>
        {mayWrite && (
          <footer className="row">
            <Button type="submit" look="main" disabled={saving.isPending || !isDirty}>
              Save
            </Button>
            {isDirty && <Button onClick={() => follow(story)}>Discard changes</Button>}
          </footer>
        )}
      </form>
    </Card>
  );
}
