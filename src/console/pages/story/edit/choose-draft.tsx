import { useLocation } from 'wouter';
import { api } from '../../../api/console-api.js';
import { useSession } from '../../../api/signed-in.js';
import { useChange } from '../../../api/use-change.js';
import { Button } from '../../../ui/form/button.js';
import { Input } from '../../../ui/form/field.js';
import { isolated } from '../../../text/isolated.js';
import { textIn } from '../../../ui/form/form-text.js';
import { Dialog } from '../../../ui/overlay/dialog.js';
import { Time } from '../../../ui/words/time.js';
import { usePeople } from '../../cases/cases-data.js';
import { editorAddress } from '../../editor/editor-address.js';
import { countOfChanges } from '../../editor/publish/difference-groups.js';
import { publishAddress } from '../../editor/publish/publish-address.js';
import { useComparison } from '../../editor/publish/publish-data.js';
import { nounWords } from '../../../ui/words/figures.js';
import { useDrafts, useStory } from '../story-data.js';
import { GUARD_WORDS, guardsOf } from '../story-guards.js';
import styles from './choose-draft.module.css';
import { freeDraftName } from './draft-name.js';

/** Asks what is to be edited: a draft that there is, a new one, or the live story. */
export function ChooseDraft({ storyId, onClose }: { storyId: number; onClose: () => void }) {
  const [, go] = useLocation();
  const { user } = useSession();
  const story = useStory(storyId).data;
  const drafts = useDrafts(storyId).data ?? [];
  const people = usePeople().data;
  const [guard] = story === undefined ? [] : guardsOf(story);
  const isOwn = ({ user_id: owner }: { user_id: number }) => owner === user.id;
  const creating = useChange((name: string) => api.stories.drafts.create({ id: storyId, name }), {
    old: ['drafts'],
    onDone: ({ id }) => go(editorAddress(storyId, { draft: id })),
  });
  return (
    <Dialog
      title="Edit in a draft"
      about="The live story stays unchanged until the draft is published."
      onClose={onClose}
    >
      <div className="dialog-body stack">
        {drafts.length > 0 && (
          <ul className={styles['drafts']} aria-label="Drafts">
            {drafts
              .toSorted((one, other) => Number(isOwn(other)) - Number(isOwn(one)))
              .map((draft) => (
                <li key={draft.id} className="row">
                  <span className="grow">
                    <span className="wrap">{draft.name}</span>
                    <span className="faint">
                      {isOwn(draft)
                        ? 'yours'
                        : (people?.find(({ id }) => id === draft.user_id)?.name ?? 'of another user')}
                      , <ChangeCount storyId={storyId} draftId={draft.id} />
                      <Time at={draft.updated_at} prefix="changed " />
                    </span>
                  </span>
                  <Button
                    look="quiet"
                    aria-label={`Compare ${isolated(draft.name)}`}
                    onClick={() => go(publishAddress(storyId, draft.id))}
                  >
                    Compare
                  </Button>
                  <Button onClick={() => go(editorAddress(storyId, { draft: draft.id }))}>Continue</Button>
                </li>
              ))}
          </ul>
        )}
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            creating.mutate(textIn(event.currentTarget, 'name'));
          }}
        >
          <Input
            name="name"
            aria-label="Name of the new draft"
            defaultValue={freeDraftName(user, drafts)}
            required
            maxLength={255}
            className="grow"
          />
          <Button type="submit" look="main" disabled={creating.isPending}>
            New draft
          </Button>
        </form>
        <footer className={styles['live']}>
          {guard === undefined ? (
            <>
              <span className="faint grow">Changes to the live story take effect immediately.</span>
              <Button look="quiet" onClick={() => go(editorAddress(storyId, {}))}>
                Change the live story
              </Button>
            </>
          ) : (
            <span className="faint">{GUARD_WORDS[guard]}</span>
          )}
        </footer>
      </div>
    </Dialog>
  );
}

/** How much a draft changes, once that is known: `14 changes, `. Parts that were only moved are none. */
function ChangeCount({ storyId, draftId }: { storyId: number; draftId: number }) {
  const differences = useComparison({ storyId, draftId }).data?.draft;
  if (differences === undefined) return null;
  return `${nounWords(countOfChanges(differences), 'change')}, `;
}
