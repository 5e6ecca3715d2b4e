import type { StoryTrialWork } from '../story/story-trial.js';
import type { CharacterBudget } from '../story/character-budget.js';
import type { ActionOf } from '../story/action-view.js';
import type { ActionDifference, TrialDifference } from './trial-difference.js';

interface ShownWith {
  work: StoryTrialWork;
  actionOf: ActionOf;
  budget: CharacterBudget;
}

/** Returns the difference as the API shows it. */
export function presentDifference({ actions, varying }: TrialDifference, given: ShownWith) {
  const count = actions.reduce((sum, action) => sum + countOf(action), 0);
  return {
    same: count === 0,
    count,
    actions: actions.map((action) => shownAction(action, given)),
    varying: varying.map(({ agentId, path }) => ({ action: given.actionOf(agentId), path })),
  };
}

function countOf({ added, missing, changed, errors }: ActionDifference): number {
  return added.length + missing.length + changed.length + (errors === undefined ? 0 : 1);
}

function shownAction(difference: ActionDifference, { work, actionOf, budget }: ShownWith) {
  const { agentId, pastAgentId, added, missing, changed, errors } = difference;
  const past = work.past?.actions.find(({ id }) => id === pastAgentId);
  const known = agentId === undefined ? null : actionOf(agentId);
  return {
    action: known ?? (past === undefined ? null : { id: past.id, guid: past.guid, name: past.name }),
    added,
    missing,
    changed: changed.map(({ eventId, pastId, changes }) => ({
      event_id: eventId,
      past_event_id: pastId,
      changes: changes.map(({ path, before, after }) => ({
        path,
        before: before === undefined ? null : budget.fit('difference', before),
        after: after === undefined ? null : budget.fit('difference', after),
      })),
    })),
    errors: errors ?? null,
  };
}
