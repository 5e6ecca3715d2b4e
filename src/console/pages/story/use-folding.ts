import { useMemo } from 'react';
import type { Action } from '../../../../clients/typescript/api.js';
import { branchBelow } from '../../canvas/folding.js';
import type { Shown } from './story-address.js';

/** Returns the folded branches; what folds and unfolds one; and what chooses an action, which unfolds what hides it. */
export function useFolding(shown: Shown, show: (change: Partial<Shown>) => void, actions: readonly Action[]) {
  const ids = shown.folded.join();
  // Another list of the same ids would draw the canvas anew.
  const folded = useMemo(() => ids.split(',').filter(Boolean).map(Number), [ids]);
  return {
    folded,
    fold: (id: number) =>
      show({ folded: folded.includes(id) ? folded.filter((each) => each !== id) : [...folded, id] }),
    choose: (action: number | undefined) =>
      show({
        action,
        folded: folded.filter((owner) => action === undefined || !branchBelow(actions, owner).has(action)),
      }),
  };
}
