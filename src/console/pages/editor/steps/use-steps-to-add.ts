import type { Step } from '../../../../../clients/typescript/api.js';
import { sentencesOf } from '../../../text/problems.js';
import type { AddPlace, CanvasWork } from '../canvas/canvas-work.js';
import { useEditor } from '../editor-context.js';
import { stepFragment, useTeamSteps } from './editor-steps-data.js';

/** Returns the steps that may be added to the story, and what adds one. */
export function useStepsToAdd(work: CanvasWork) {
  const steps = useTeamSteps(useEditor().teamId);
  return {
    steps,
    /** Adds what a step has now: behind the chosen action, as any other action. A failure is told. */
    addStep: async (step: Step, { at, behind }: AddPlace = {}): Promise<void> => {
      const [chosen, ...others] = work.targets().actions;
      const isBehind = at === undefined && others.length === 0 && chosen !== undefined;
      const source = behind ?? (isBehind ? ({ source: chosen, kind: 'DEFAULT' } as const) : undefined);
      try {
        work.insert(await stepFragment(step), at, source);
      } catch (error) {
        work.tell(sentencesOf(error).join(' '));
      }
    },
  };
}
