import { X } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { WEBHOOK_TYPE } from '../../story-model/commands/link-commands.js';
import { Button, IconButton } from '../../ui/form/button.js';
import { firstSteps } from '../home/first-steps/first-steps.js';
import { hasAnswer, useStoryOfSteps } from '../home/first-steps/first-steps-data.js';
import { hideFirstSteps, noteResponse, useFirstSteps } from '../home/first-steps/first-steps-store.js';
import styles from '../home/first-steps/first-steps.module.css';
import { useEdited, useEditor } from './editor-context.js';
import { focusInInspector } from './inspector-focus.js';

/** The next button in the webhook: it adds the answer, or sends a test call. */
const NEXT_PRESS =
  'section[aria-label="Response to callers"] button, section[aria-label="Response to callers"]:not(:has(button)) ~ form button[type="submit"]';

/** The present one of the first steps, in the story that they make. Nothing is shown in any other. */
export function FirstStepsStrip() {
  const { storyId } = useEditor();
  const steps = useFirstSteps();
  if (steps === undefined || steps === 'off' || steps.storyId !== storyId) return null;
  return <Strip hasSeen={steps.hasSeen} />;
}

function Strip({ hasSeen }: { hasSeen: boolean }) {
  const { storyId, view } = useEditor();
  const [, go] = useLocation();
  // A step is ticked when it is done here; the server has it a little later.
  const answers = useEdited(({ draft }) => hasAnswer(draft.actions.values()));
  const { facts, newest } = useStoryOfSteps({ storyId, hasSeen, hasAnswer: answers });
  const webhook = useEdited(({ draft }) =>
    [...draft.actions.keys()].find((key) => draft.actions.get(key)?.type === WEBHOOK_TYPE),
  );
  if (facts === undefined) return null;
  const { steps, current } = firstSteps(facts);
  const step = steps[current];
  const isLast = current === steps.length - 1;
  const openWebhook = (key: string) => {
    view.getState().choose({ actions: [key] });
    focusInInspector(NEXT_PRESS);
  };
  const openRun = () => {
    noteResponse(storyId);
    if (newest !== undefined) go(`/runs/${storyId}/${newest.guid}`);
  };
  return (
    <section className={styles['strip']} aria-label="First steps">
      {step === undefined ? (
        <span className="grow wrap">
          <strong>Your story answers calls. All first steps are done.</strong> Find more stories in{' '}
          <Link href="/gallery">the gallery</Link>.
        </span>
      ) : (
        <>
          <span className="faint nowrap">
            Step {current + 1} of {steps.length}
          </span>
          <span className={`${styles['text']} wrap`}>
            <strong>{step.name}.</strong>{' '}
            {webhook === undefined && !isLast
              ? 'First add a webhook, which accepts calls: choose Webhook.'
              : step.about}
          </span>
          {isLast && <Button onClick={openRun}>{step.button}</Button>}
          {!isLast && webhook !== undefined && (
            <Button onClick={() => openWebhook(webhook)}>{step.button}</Button>
          )}
        </>
      )}
      <IconButton label="Hide the first steps" onClick={hideFirstSteps}>
        <X />
      </IconButton>
    </section>
  );
}
