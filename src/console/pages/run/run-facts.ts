import type { Action, Statistics } from '../../../../clients/typescript/api.js';
import type { Facts } from '../../canvas/graph-elements.js';
import type { Step } from './run-tree.js';

/** Returns what the canvas shows of a run: its path, the events of each action, what waits and what failed. */
export function factsOf(actions: readonly Action[], steps: readonly Step[]): Facts {
  const byEvent = new Map(steps.flatMap(({ event, actionId }) => (event ? [[event.id, actionId]] : [])));
  const links = steps.flatMap(({ inputId, actionId }) => {
    const from = inputId === undefined ? undefined : byEvent.get(inputId);
    return from === undefined ? [] : [`${from}-${actionId}`];
  });
  const counted = (is: (step: Step) => boolean) => {
    const counts = new Map<number, number>();
    for (const { actionId } of steps.filter(is)) counts.set(actionId, (counts.get(actionId) ?? 0) + 1);
    return counts;
  };
  const events = counted(({ event }) => event !== undefined);
  const open = counted((step) => step.open !== undefined);
  const dead = counted((step) => step.dead !== undefined);
  return {
    activity: new Map(
      actions.map((action): [number, Action] => [
        action.id,
        {
          ...action,
          pending_action_runs_count: open.get(action.id) ?? 0,
          not_working: (dead.get(action.id) ?? 0) > 0,
        },
      ]),
    ),
    counts: new Map([...events].map(([id, count]) => [id, { events: count } as Statistics])),
    countedIn: 'in this run',
    notRunnable: new Set(),
    search: '',
    taken: { actions: new Set(steps.map(({ actionId }) => actionId)), links: new Set(links) },
  };
}
