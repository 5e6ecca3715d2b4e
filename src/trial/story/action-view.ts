import { FIRST_NEW_ID, type TriedStories } from './tried-stories.js';

/** An action in a response. */
export interface ActionView {
  /** null: it is in an export alone. */
  id: number | null;
  guid: string;
  name: string;
}

/** Returns an action by its id in the trial; null for 0, and for one that is not of these stories. */
export type ActionOf = (agentId: number) => ActionView | null;

/** Whether a trial made up this id, for what is in an export alone. */
export function isNew(id: number): boolean {
  return id >= FIRST_NEW_ID;
}

/** Returns the function that finds the actions of these stories. */
export function actionViewsOf({ actions }: TriedStories): ActionOf {
  const byId = new Map(actions.map((action) => [action.id, action]));
  return (agentId) => {
    const action = byId.get(agentId);
    if (action === undefined) return null;
    return { id: isNew(agentId) ? null : agentId, guid: action.guid, name: action.name };
  };
}
