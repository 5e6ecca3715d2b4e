import type { GraphAction } from '../../../../clients/typescript/api.js';
import { WEBHOOK_TYPE } from '../commands/link-commands.js';
import type { Keyed, StoryDraft } from '../story-draft.js';

/**
 * Returns a draft as a change of another copy of its story. An action continues the one there that has the type and the name
 * that it had when it was last saved; where several have them, it is a new one. `saved` is the draft as it was last saved.
 */
export function carriedOver(draft: StoryDraft, saved: StoryDraft, copy: StoryDraft): StoryDraft {
  const [there, known] = [byName(copy.actions), byName(saved.actions)];
  const carried = [...draft.actions].map(([key, action]): [string, GraphAction] => {
    const was = saved.actions.get(key);
    const name = was === undefined ? undefined : nameOf(was);
    const [twin, ...others] = name === undefined ? [] : (there.get(name) ?? []);
    const isOne = others.length === 0 && known.get(name ?? '')?.length === 1;
    return [key, twin !== undefined && isOne ? continued(action, twin) : action];
  });
  return { ...draft, actions: new Map(carried), rest: copy.rest };
}

const nameOf = ({ type, name }: GraphAction) => `${type} ${name}`;

function byName(actions: Keyed<GraphAction>): Map<string, GraphAction[]> {
  const named = new Map<string, GraphAction[]>();
  for (const action of actions.values()) {
    const name = nameOf(action);
    named.set(name, [...(named.get(name) ?? []), action]);
  }
  return named;
}

/** A webhook keeps the address that it has there. */
function continued(action: GraphAction, { id, guid, options }: GraphAction): GraphAction {
  const { path, secret } = options;
  const address = { ...(path !== undefined && { path }), ...(secret !== undefined && { secret }) };
  const own = action.type === WEBHOOK_TYPE ? { ...action.options, ...address } : action.options;
  return { ...action, id, guid, options: own } as GraphAction;
}
