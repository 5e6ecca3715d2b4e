import type { JsonObject } from '../../platform/json.js';
import { type ActionRename, withFollowedNames, withRenamedActions } from '../tests/edit-tests.js';
import type { MergeAction } from './merge-actions.js';
import { type PartMaps, textOrEmpty } from './merge-parts.js';

type Actions = ReadonlyMap<string, MergeAction>;

/**
 * Returns the keys of one state, whose tests name actions as the result of the merge does: also by a name of the base that
 * a file took from an action, and left in its tests.
 */
export function followedTests(
  extra: JsonObject,
  own: Actions,
  { base, merged }: { base: PartMaps<MergeAction>['base']; merged: Actions },
): JsonObject {
  const names = [...own.values()].map(nameOf);
  const kept = withFollowedNames(extra, renamesTo(own, base ?? new Map()), names);
  const renames = renamesTo(merged, own);
  const moved = new Set(renames.map(({ from }) => from));
  return withRenamedActions(
    kept,
    renames,
    names.filter((name) => !moved.has(name)),
  );
}

/** Returns the actions that have another name than before. */
function renamesTo(now: Actions, before: Actions): ActionRename[] {
  return [...before].flatMap(([guid, was]) => {
    const action = now.get(guid);
    const [from, to] = [nameOf(was), action === undefined ? '' : nameOf(action)];
    return to === '' || from === to ? [] : [{ from, to }];
  });
}

function nameOf({ columns }: MergeAction): string {
  return textOrEmpty(columns.name);
}
