import type { ExportedLink, GraphAction, GraphNote } from '../../../clients/typescript/api.js';

/** A list whose items have names. They keep their order; a changed item is another object, the others are the same. */
export type Keyed<Item> = ReadonlyMap<string, Item>;

/** A place on the canvas: the upper left corner. */
export interface Place {
  x: number;
  y: number;
}

/** The kind of a link: it carries the events of an action, those that did not match, or its failures. */
export type LinkKind = 'DEFAULT' | 'NO_MATCH' | 'FAILURE';

/** A link between two actions. */
export interface DraftLink {
  /** The key of the action that it begins at. */
  source: string;
  /** The key of the action that it leads to. */
  receiver: string;
  /** All that the server knows of it. The positions of its actions are 0 here: they are found when it is sent. */
  form: ExportedLink;
}

/**
 * A story while it is edited. Never changed in place: what two drafts have in common is the same object. Each part is as
 * the server gave it, with keys that the console does not know, and with all digits of numbers.
 */
export interface StoryDraft {
  /** By the guid that an action had when it came into the draft. */
  actions: Keyed<GraphAction>;
  links: Keyed<DraftLink>;
  notes: Keyed<GraphNote>;
  /** The graph as it was read, without these three: the id and the version of the story, and keys of newer servers. */
  rest: Readonly<Record<string, unknown>>;
}

/** The names of some parts of a draft, such as those that a person has chosen. */
export interface Selection {
  actions?: readonly string[];
  links?: readonly string[];
  notes?: readonly string[];
}

/** A draft after a change, and what the change was, for those who may take it back: `Remove Ask`. */
export interface Edited {
  draft: StoryDraft;
  label: string;
  /** Changes of one group that follow each other are one step, such as the moves of one drag. */
  group?: string;
}

/** Changes a draft. What the draft lacks is left out, so that a command never fails. */
export type Command = (draft: StoryDraft) => Edited;

const LINK_TYPES: Record<LinkKind, string | null> = {
  DEFAULT: null,
  NO_MATCH: 'secondary',
  FAILURE: 'failure',
};

/** Returns what a link carries; one of an unknown type is an ordinary one, as it is to the server. */
export function kindOfLink({ form: { link_type: type } }: DraftLink): LinkKind {
  return type === 'secondary' ? 'NO_MATCH' : type === 'failure' ? 'FAILURE' : 'DEFAULT';
}

/** Returns a new link of a kind. */
export function newLink(source: string, receiver: string, kind: LinkKind): DraftLink {
  const type = LINK_TYPES[kind];
  return { source, receiver, form: { source: 0, receiver: 0, ...(type !== null && { link_type: type }) } };
}

/** Returns the key of a link: links of one type between the same actions have the same. */
export function keyOfLink({ source, receiver, form }: DraftLink): string {
  return `${source} → ${receiver} ${form.link_type ?? ''}`;
}

/** Returns a name for something new: 32 hexadecimal digits. */
export function newGuid(): string {
  // `randomUUID` is absent where the console is served without TLS.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the list with one item changed or added at its end. */
export function withItem<Item>(list: Keyed<Item>, key: string, item: Item): Keyed<Item> {
  return new Map(list).set(key, item);
}
