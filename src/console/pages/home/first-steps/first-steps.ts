/** What is true of the first story of somebody new. */
export interface StepFacts {
  /** The story is there. */
  exists: boolean;
  /** A call of its webhook is answered by a transformation. */
  answers: boolean;
  /** It has run. */
  wasCalled: boolean;
  /** The response was shown here, or in the program that called. */
  hasSeen: boolean;
}

/** One of the first steps. */
export interface FirstStep {
  name: string;
  about: string;
  /** The words of the button that leads to where it is done. */
  button: string;
  isDone: boolean;
}

/** Returns the first steps, with what is done; `current` is the first one that is not, and -1 once all are. */
export function firstSteps({ exists, answers, wasCalled, hasSeen }: StepFacts): {
  steps: readonly FirstStep[];
  current: number;
} {
  const steps: FirstStep[] = [
    {
      name: 'Create a story of your own',
      about: 'It starts with a webhook for a call that you paste. An example is ready.',
      button: 'New story',
      isDone: exists,
    },
    {
      name: 'Answer with a transformed payload',
      about: 'Press “Answer with a transformation” in the webhook. It adds the action that answers.',
      button: 'Open the webhook',
      isDone: exists && answers,
    },
    {
      name: 'Call it',
      about:
        'Change the payload first, if you like. Then press “Send test call” in the webhook, or copy its curl call.',
      button: 'Open the webhook',
      isDone: exists && wasCalled,
    },
    {
      name: 'See the response',
      about: 'It appears below the test call. The run shows each action with its event.',
      button: 'Open the run',
      isDone: exists && wasCalled && hasSeen,
    },
  ];
  return { steps, current: steps.findIndex(({ isDone }) => !isDone) };
}
