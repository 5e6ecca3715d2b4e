import type { GraphAction } from '../../../../clients/typescript/api.js';
import { addAction, nameOf } from './action-commands.js';
import {
  type Command,
  type DraftLink,
  keyOfLink,
  kindOfLink,
  type LinkKind,
  newGuid,
  newLink,
  type StoryDraft,
  withItem,
} from '../story-draft.js';

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

/** Adds an action and links it behind another, in one step. `guid` is its key. */
export function addBehind(source: string, action: GraphAction, guid = newGuid(), kind?: LinkKind): Command {
  return (draft) => {
    const added = addAction(action, guid)(draft);
    return {
      label: `${added.label} behind ${nameOf(draft, source)}`,
      draft: connect(source, guid, kind)(added.draft).draft,
    };
  };
}

/** What of a link changes. */
export interface LinkEnds {
  source?: string;
  receiver?: string;
  kind?: LinkKind;
}

/**
 * Leads a link elsewhere, or makes it one of another kind. It keeps what else is known of it. Nothing happens if it may not
 * lead there; if there is such a link already, that one stays alone.
 */
export function reconnect(key: string, ends: LinkEnds): Command {
  return (draft) => {
    const link = draft.links.get(key);
    if (link === undefined) return { label: 'Change a link', draft };
    const next = withEnds(link, ends);
    const name = (end: string) => nameOf(draft, end);
    return {
      label: `Change the link from ${name(link.source)} to ${name(link.receiver)}`,
      draft: mayLink(draft, next.source, next.receiver)
        ? { ...draft, links: replaced(draft, key, next) }
        : draft,
    };
  };
}

function withEnds(
  link: DraftLink,
  { source = link.source, receiver = link.receiver, kind }: LinkEnds,
): DraftLink {
  if (kind === undefined || kind === kindOfLink(link)) return { ...link, source, receiver };
  const { link_type: _type, ...others } = link.form;
  return { source, receiver, form: { ...others, ...newLink(source, receiver, kind).form } };
}

function replaced({ links }: StoryDraft, key: string, next: DraftLink): StoryDraft['links'] {
  const nextKey = keyOfLink(next);
  if (nextKey === key) return links;
  return new Map(
    [...links].flatMap(([each, link]): [string, DraftLink][] => {
      if (each !== key) return [[each, link]];
      return links.has(nextKey) ? [] : [[nextKey, next]];
    }),
  );
}
