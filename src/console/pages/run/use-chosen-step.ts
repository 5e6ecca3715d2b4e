import { useEffect, useEffectEvent, useState } from 'react';
import type { Step } from './run-tree.js';

/**
 * Returns the step with this key. One that was still to come stays chosen when it has become another: then `onMoved` gets
 * its new key. `steps` must stay the same list until there is another response.
 */
export function useChosenStep(
  steps: readonly Step[],
  key: string,
  onMoved: (key: string) => void,
): Step | undefined {
  const [last, setLast] = useState<Step>();
  const named = steps.find((step) => step.key === key);
  if (named !== undefined && named !== last) setLast(named);
  const before = last?.key === key ? last : undefined;
  const chosen = named ?? (before && stepAfter(before, steps));
  const tellMoved = useEffectEvent(onMoved);
  const chosenKey = chosen?.key ?? key;
  useEffect(() => {
    if (chosenKey !== key) tellMoved(chosenKey);
  }, [chosenKey, key]);
  return chosen;
}

/**
 * Returns what became of a delivery: it failed, waits again after it failed, or its action emitted an event. Undefined: it
 * is over without an event, or the step was none.
 */
export function stepAfter({ open, dead, actionId, inputId }: Step, steps: readonly Step[]): Step | undefined {
  const delivery = open ?? dead;
  if (delivery === undefined) return undefined;
  return (
    steps.find((step) => (step.open ?? step.dead)?.id === delivery.id) ??
    steps.find((step) => step.event !== undefined && step.actionId === actionId && step.inputId === inputId)
  );
}
