import { useMemo } from 'react';
import type { Step } from '../../../../../clients/typescript/api.js';
import { sentencesOf } from '../../../text/problems.js';
import type { AddPlace, CanvasWork } from '../canvas/canvas-work.js';
import { useEditor } from '../editor-context.js';
import { useStoryLanguage } from '../request-import/request-import-data.js';
import { stepFragment, useStepsOfTeam } from './editor-steps-data.js';

/** Returns the steps that may be added to the story: those in its language, and what adds one. */
export function useStepsToAdd(work: CanvasWork) {
  const known = useStepsOfTeam(useEditor().teamId);
  const language = useStoryLanguage();
  const steps = useMemo(
    () => (known.data ?? []).filter((step) => step.language === language.data),
    [known.data, language.data],
  );
  return {
    steps,
    /** The question whose answer the list lacks; undefined: none has failed. */
    stepsFailed: [known, language].find(({ data, error }) => data === undefined && error !== null),
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
