import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { GraphAction, Step } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import type { Fragment } from '../../../story-model/fragment/fragment.js';
import { fragmentOf } from '../../../story-model/fragment/fragment-text.js';
import { isolated } from '../../../text/isolated.js';
import { stepOf } from '../../../story-model/fragment/action-step.js';

/** The most that one answer may hold. */
const MOST = 500;
const NO_STEPS: readonly Step[] = [];

/** Asks for the steps that stories of a team may use. */
export function useStepsOfTeam(teamId: number) {
  return useQuery({
    queryKey: keys.steps.ofTeam(teamId),
    queryFn: async () => (await api.steps.list({ team_id: teamId, per_page: MOST })).steps,
  });
}

/** Returns the steps that stories of a team may use; none until they are known. */
export function useTeamSteps(teamId: number): readonly Step[] {
  return useStepsOfTeam(teamId).data ?? NO_STEPS;
}

/** Returns what a version of a step has, to be pasted. */
export async function stepFragment({ id, version }: Pick<Step, 'id' | 'version'>): Promise<Fragment> {
  return fragmentOf((await api.steps.versions.get({ id, number: version })).content);
}

/** Returns what tells in words, for an action, that it lacks a newer version of its step; undefined: it lacks none. */
export function useStepsBehind(teamId: number): (action: GraphAction) => string | undefined {
  const steps = useTeamSteps(teamId);
  return useMemo(() => createFinder(steps), [steps]);
}

function createFinder(steps: readonly Step[]): (action: GraphAction) => string | undefined {
  const byGuid = new Map(steps.map((step) => [step.guid, step]));
  return (action) => {
    const mark = stepOf(action);
    const step = mark && byGuid.get(mark.guid);
    if (mark === undefined || step === undefined || mark.version >= step.version) return undefined;
    return `has version ${mark.version} of the step ${isolated(step.name)}, whose newest is ${step.version}`;
  };
}

/** Returns the step that an action came from; undefined: none, or one that is gone. */
export function useStepOf(teamId: number, action: GraphAction): Step | undefined {
  const steps = useTeamSteps(teamId);
  const mark = stepOf(action);
  return steps.find(({ guid }) => guid === mark?.guid);
}
