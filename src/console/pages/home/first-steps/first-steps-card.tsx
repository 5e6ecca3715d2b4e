import { Circle, CircleCheck, X } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { WEBHOOK_TYPE } from '../../../story-model/commands/link-commands.js';
import { Card } from '../../../ui/card.js';
import { Button, IconButton } from '../../../ui/form/button.js';
import { editorAddress } from '../../editor/editor-address.js';
import { useGraph } from '../../story/story-data.js';
import { FIRST_CALL } from '../../stories/new/first-call.js';
import { PASTED_SAMPLE } from '../../stories/new/kept-sample.js';
import { NewStoryDialog } from '../../stories/new/new-story-dialog.js';
import { firstSteps, type StepFacts } from './first-steps.js';
import { hasAnswer, useStepsOfNewcomer, useStoryOfSteps } from './first-steps-data.js';
import { hideFirstSteps, noteResponse } from './first-steps-store.js';
import styles from './first-steps.module.css';

const NOTHING_YET: StepFacts = { exists: false, answers: false, wasCalled: false, hasSeen: false };
const STORY_NAME = 'My first story';

/** The way of somebody new to a story that answers. Nothing is shown to anybody else. */
export function FirstStepsCard() {
  const steps = useStepsOfNewcomer();
  const [isMaking, setMaking] = useState(false);
  if (steps === 'off') return null;
  const make = () => setMaking(true);
  return (
    <>
      {steps.storyId === undefined ? (
        <StepList facts={NOTHING_YET} onStep={make} />
      ) : (
        <StepsOfStory storyId={steps.storyId} hasSeen={steps.hasSeen} onMake={make} />
      )}
      {isMaking && <NewStoryDialog name={STORY_NAME} call={FIRST_CALL} onClose={() => setMaking(false)} />}
    </>
  );
}

interface StepsOfStoryProps {
  storyId: number;
  hasSeen: boolean;
  onMake: () => void;
}

function StepsOfStory({ storyId, hasSeen, onMake }: StepsOfStoryProps) {
  const [, go] = useLocation();
  const actions = useGraph({ storyId, draftId: undefined }).data?.actions ?? [];
  const webhook = actions.find(({ type }) => type === WEBHOOK_TYPE);
  const { facts, newest } = useStoryOfSteps({ storyId, hasSeen, hasAnswer: hasAnswer(actions) });
  if (facts === undefined) return null;
  const openWebhook = () =>
    go(editorAddress(storyId, { action: webhook?.guid ?? undefined, sample: PASTED_SAMPLE }));
  const openRun = () => {
    if (newest === undefined) return;
    noteResponse(storyId);
    go(`/runs/${storyId}/${newest.guid}`);
  };
  const ways = [onMake, openWebhook, openWebhook, openRun];
  return <StepList facts={facts} onStep={(at) => ways[at]?.()} />;
}

interface StepListProps {
  facts: StepFacts;
  onStep: (at: number) => void;
}

function StepList({ facts, onStep }: StepListProps) {
  const { steps, current } = firstSteps(facts);
  const isDone = current === -1;
  return (
    <Card
      title={isDone ? 'Your story answers calls' : 'First steps'}
      aside={
        <IconButton label="Hide the first steps" onClick={hideFirstSteps}>
          <X />
        </IconButton>
      }
    >
      <ol className={styles['steps']}>
        {steps.map(({ name, about, button, isDone: isTicked }, at) => (
          <li key={name} className={styles['step']} aria-current={at === current ? 'step' : undefined}>
            {isTicked ? (
              <CircleCheck className={styles['done']} role="img" aria-label="Done" />
            ) : (
              <Circle className={styles['open']} role="img" aria-label="To do" />
            )}
            <div className={styles['words']}>
              <strong>{name}</strong>
              {!isTicked && <span className="soft wrap">{about}</span>}
            </div>
            {at === current && (
              <Button look="main" onClick={() => onStep(at)}>
                {button}
              </Button>
            )}
          </li>
        ))}
      </ol>
      {isDone && (
        <p className={styles['end']}>
          Now that the story has run, its changes go into a draft first. Find more stories in{' '}
          <Link href="/gallery">the gallery</Link>.
        </p>
      )}
    </Card>
  );
}
