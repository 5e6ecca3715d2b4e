import { Reply } from 'lucide-react';
import type { GraphAction } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useChange } from '../../../api/use-change.js';
import { addBehind } from '../../../story-model/commands/link-commands.js';
import { newGuid } from '../../../story-model/story-draft.js';
import { isolated } from '../../../text/isolated.js';
import { Button } from '../../../ui/form/button.js';
import { useStory } from '../../story/story-data.js';
import { useEdited, useEditor, useRun } from '../editor-context.js';
import { focusInspector } from '../inspector-focus.js';
import { useTemplateLanguage } from '../sample/shown-sample.js';
import { answerAction, answersOf, withAnswer } from './answer-action.js';
import styles from './webhook-card.module.css';

interface WebhookResponseProps {
  actionKey: string;
  action: GraphAction;
  /** The body of the sample; undefined without one. */
  body: unknown;
}

/** What callers of a webhook get. One press adds an action whose event is the response. */
export function WebhookResponse({ actionKey, action, body }: WebhookResponseProps) {
  const { storyId, draftId, readOnly } = useEditor();
  const story = useStory(draftId ?? storyId).data;
  const actions = useEdited(({ draft }) => draft.actions);
  if (story === undefined) return null;
  const exits = answersOf(story, action.id ?? 0);
  const names = [...actions.values()].flatMap(({ id, name }) =>
    id && exits.includes(id) ? [isolated(name)] : [],
  );
  return (
    <section className={styles['card']} aria-label="Response to callers">
      <h3>Response to callers</h3>
      {names.length > 0 ? (
        <p className="soft wrap">
          Callers wait for the first event of <strong>{names.join(', ')}</strong>, and get it as JSON.
        </p>
      ) : (
        <>
          <p className="soft wrap">Callers get the configured response at once.</p>
          {readOnly === undefined && <AnswerButton actionKey={actionKey} action={action} body={body} />}
        </>
      )}
    </section>
  );
}

function AnswerButton({ actionKey, action, body }: WebhookResponseProps) {
  const { storyId, draftId, store, saver, view } = useEditor();
  const run = useRun();
  const language = useTemplateLanguage();
  const answering = useChange(
    async () => {
      const key = newGuid();
      const { draft } = store.getState();
      run(addBehind(actionKey, answerAction(draft, action, { body, language }), key));
      await saver.flush();
      const saved = store.getState().draft.actions;
      const [webhook, answer] = [saved.get(actionKey)?.id, saved.get(key)?.id];
      if (!webhook || !answer)
        throw new Error('The story is not saved yet, so callers do not get the response.');
      const story = await api.stories.get({ id: draftId ?? storyId });
      await api.stories.update({
        id: storyId,
        ...(draftId !== undefined && { draft_id: draftId }),
        ...withAnswer(story, webhook, answer),
      });
      return key;
    },
    {
      old: ['story', 'stories'],
      onDone: (key) => {
        view.getState().choose({ actions: [key] });
        view.getState().say('Callers get the event of this action.');
        focusInspector();
      },
    },
  );
  return (
    <>
      <div>
        <Button disabled={answering.isPending} onClick={() => answering.mutate()}>
          <Reply aria-hidden="true" /> Answer with a transformation
        </Button>
      </div>
      <p className="faint wrap">
        Adds an action after the webhook. Callers wait for its event and receive it.
      </p>
    </>
  );
}
