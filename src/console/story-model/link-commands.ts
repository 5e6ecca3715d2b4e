import { nameOf } from './action-commands.js';
import { type Command, keyOfLink, type LinkKind, newLink, type StoryDraft, withItem } from './story-draft.js';

/** The type of a webhook: events come from outside, so nothing can be linked into it. */
export const WEBHOOK_TYPE = 'Agents::WebhookAgent';

/** Whether a link may lead from one action to the other. It may lead back to where it begins. */
export function mayLink({ actions }: StoryDraft, source: string, receiver: string): boolean {
  const to = actions.get(receiver);
  return actions.has(source) && to !== undefined && to.type !== WEBHOOK_TYPE;
}

/** Links two actions, unless they may not be or there is such a link. */
export function connect(source: string, receiver: string, kind: LinkKind = 'DEFAULT'): Command {
  return (draft) => {
    const link = newLink(source, receiver, kind);
    const key = keyOfLink(link);
    const isNew = mayLink(draft, source, receiver) && !draft.links.has(key);
    return {
      label: `Link ${nameOf(draft, source)} to ${nameOf(draft, receiver)}`,
      draft: isNew ? { ...draft, links: withItem(draft.links, key, link) } : draft,
    };
  };
}
