import { Forbidden } from '../../platform/errors.js';
import type { TrialQuestion } from '../sending/send-order.js';
import type { TrialSending } from '../sending/trial-sender.js';
import type { TrialCalledStory, TrialTeam } from '../story/story-trial.js';

interface TrialAnswersDeps {
  /** Absent: the trial sends nothing. */
  sending: TrialSending | undefined;
  findStory: (id: number) => Promise<TrialCalledStory | undefined>;
  /** The teams whose stories the trial has got already. */
  teams: TrialTeam[];
}

/** Returns the function that answers the questions of one trial. @throws what sending and the stores throw. */
export function createTrialAnswers({ sending, findStory, teams }: TrialAnswersDeps) {
  const known = new Set(teams.map(({ id }) => id));
  return async (asked: unknown, ended: AbortSignal): Promise<unknown> => {
    const question = asked as TrialQuestion;
    if (question.kind === 'story') {
      const story = await findStory(question.storyId);
      for (const { id } of story?.teams ?? []) known.add(id);
      return story;
    }
    // A thread with a fault must not get at others' credentials.
    if (sending === undefined || !known.has(question.teamId)) throw new Forbidden();
    return sending.send(question, ended);
  };
}
