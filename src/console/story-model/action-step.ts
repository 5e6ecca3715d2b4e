import type { GraphAction } from '../../../clients/typescript/api.js';
import { hasEntries } from '../text/exact-json.js';
import { type Command, newGuid } from './story-draft.js';

/** The step that an action came from, as the action remembers it. */
export interface StepMark {
  /** The guid of the step. */
  guid: string;
  version: number;
  /** The action in the step. */
  action: string;
  /** Tells two uses of a step in one story apart. */
  use?: string;
}

const MARK = 'fabula_step';

/** Returns the step that an action came from; undefined: it came from none. */
export function stepOf(action: GraphAction): StepMark | undefined {
  const mark: unknown = Reflect.get(action, MARK);
  if (!hasEntries(mark) || Array.isArray(mark)) return undefined;
  const { guid, version, action: own, use } = mark as Record<string, unknown>;
  if (typeof guid !== 'string' || typeof version !== 'number' || typeof own !== 'string') return undefined;
  return { guid, version, action: own, ...(typeof use === 'string' && { use }) };
}

/** Returns actions that are inserted: those that came from one use of a step are a use of their own. */
export function withNewUses(actions: readonly GraphAction[], newUse: () => string = newGuid): GraphAction[] {
  const uses = new Map<string, string>();
  return actions.map((action) => {
    const mark = stepOf(action);
    if (mark === undefined) return action;
    const key = `${mark.guid} ${mark.use ?? ''}`;
    const use = uses.get(key) ?? newUse();
    uses.set(key, use);
    return { ...action, [MARK]: { ...mark, use } };
  });
}

/** Says of actions, by their keys, that they came from a step. */
export function markAsStep(name: string, marks: ReadonlyMap<string, StepMark>): Command {
  return (draft) => ({
    label: `Connect with the step ${name}`,
    draft: {
      ...draft,
      actions: new Map(
        [...draft.actions].map(([key, action]) => {
          const mark = marks.get(key);
          return [key, mark === undefined ? action : { ...action, [MARK]: mark }];
        }),
      ),
    },
  });
}
