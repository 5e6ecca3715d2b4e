import { changesBetween, isNothing } from '../../../story-model/changes/draft-changes.js';
import { conflictsIn } from '../../../story-model/changes/draft-conflicts.js';
import type { EditorStore } from '../../../story-model/editor-store.js';
import type { Command, Selection, StoryDraft } from '../../../story-model/story-draft.js';
import { editAsText, partsOf } from '../../../story-model/text/edit-as-text.js';
import { type MadeKeys, readStoryText } from '../../../story-model/text/read-story-text.js';
import { createStoryWriter, type TextScope } from '../../../story-model/text/story-text.js';
import { type ReadText, TextFault, type TextFormat } from '../../../text/formats/text-format.js';
import type { UnreadText } from '../view-store.js';

/** A text and the story that it shows: a change of either is made in the other. */
export interface TextSession {
  /** The text as it is at first. */
  text: string;
  /** Takes in a text that is being typed: once the person rests, the story follows. */
  type: (text: string) => void;
  /** The person has left the text: what was typed is read at once. */
  leave: () => void;
  /** Forgets what was typed, and shows the story. */
  reset: () => void;
  /** Ends the session: what was typed is read at once. */
  stop: () => void;
}

/** How far text and story agree. */
export interface TextState {
  /** Why the text cannot be read: the story stays as it was. */
  fault: TextFault | undefined;
  /** The story has changed since the text was right. */
  isBehind: boolean;
  /** The text, if it cannot be read. */
  unread: UnreadText | undefined;
}

interface TextSessionOptions {
  store: EditorStore;
  format: TextFormat;
  scope: TextScope;
  /** A text that could not be read in an earlier session. */
  held: UnreadText | undefined;
  run: (command: Command) => void;
  /** Shows another text. */
  onText: (text: string) => void;
  onState: (state: TextState) => void;
}

/** Reading waits for this much rest, or for three times as long as the last reading took. */
const REST_MS = { least: 300, most: 3_000 };
/** The text follows changes of the story that come faster than this all at once. */
const FOLLOW_MS = 150;

/** Begins to show a story as text. */
export function createTextSession(options: TextSessionOptions): TextSession {
  const { store, format, held, run } = options;
  const write = createStoryWriter(format);
  const draftNow = () => store.getState().draft;
  let made: MadeKeys = copyOf(held?.made ?? { actions: [], notes: [] });
  let scope = withMade(options.scope, made);
  let shown = draftNow();
  /** Whether it is unknown what the text was made of: then each of its changes is a question. */
  let isUnsure = false;
  let text = held?.text ?? write(shown, scope);
  /** What the text says; undefined: it was written here, from `shown`. */
  let read: ReadText | undefined;
  let fault: TextFault | undefined;
  let isTyped = held !== undefined;
  let rest: number = REST_MS.least;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let following: ReturnType<typeof setTimeout> | undefined;

  const tell = () => {
    if (fault === undefined) return options.onState({ fault, isBehind: false, unread: undefined });
    const was = isUnsure && held ? held.was : write(shown, scope);
    const isBehind = was !== write(draftNow(), scope);
    options.onState({ fault, isBehind, unread: { text, was, made: copyOf(made) } });
  };

  const show = (next: string) => {
    shown = draftNow();
    isUnsure = false;
    read = undefined;
    made = { actions: [], notes: [] };
    if (next === text) return;
    text = next;
    options.onText(text);
  };

  const begin = ({ was }: UnreadText) => {
    try {
      shown = readStoryText({ read: format.read(was), shown, scope, made });
    } catch (error) {
      // What it names may be gone.
      if (!(error instanceof TextFault)) throw error;
      isUnsure = true;
    }
  };

  /** Whether the text, as it is written, says this draft. */
  const saysDraft = (draft: StoryDraft): boolean => {
    if (read === undefined) return false;
    try {
      return isNothing(changesBetween(draft, readStoryText({ read, shown: draft, scope, made })));
    } catch (error) {
      // What it names may be gone.
      if (error instanceof TextFault) return false;
      throw error;
    }
  };

  const follow = () => {
    clearTimeout(following);
    const draft = draftNow();
    if (draft === shown) return;
    if (isTyped || fault !== undefined) return tell();
    if (saysDraft(draft)) shown = draft;
    else show(write(draft, scope));
  };

  const take = () => {
    clearTimeout(timer);
    if (!isTyped) return;
    isTyped = false;
    const start = performance.now();
    try {
      read = format.read(text);
      const said = readStoryText({ read, shown, scope, made });
      fault = undefined;
      const changes = changesBetween(shown, said);
      const command = editAsText(shown, said);
      const conflicts = isUnsure ? partsOf(changes) : conflictsIn(draftNow(), changes);
      shown = said;
      isUnsure = false;
      // First, so that nothing is saved before a person has chosen.
      if (hasParts(conflicts)) store.getState().contest(conflicts);
      run(command);
    } catch (error) {
      if (!(error instanceof TextFault)) throw error;
      fault = error;
    }
    scope = withMade(scope, made);
    rest = Math.min(Math.max(3 * (performance.now() - start), REST_MS.least), REST_MS.most);
    follow();
    tell();
  };

  const unsubscribe = store.subscribe(({ draft }, before) => {
    if (draft === before.draft) return;
    clearTimeout(following);
    following = setTimeout(follow, FOLLOW_MS);
  });
  if (held !== undefined) begin(held);
  take();
  return {
    text,
    type: (next) => {
      text = next;
      isTyped = true;
      clearTimeout(timer);
      timer = setTimeout(take, rest);
    },
    leave: () => {
      take();
      store.getState().finish();
      // New parts have their guids in the text now.
      if (fault === undefined && made.actions.length + made.notes.length > 0) show(write(draftNow(), scope));
    },
    reset: () => {
      clearTimeout(timer);
      isTyped = false;
      fault = undefined;
      show(write(draftNow(), scope));
      tell();
    },
    stop: () => {
      take();
      store.getState().finish();
      clearTimeout(following);
      unsubscribe();
    },
  };
}

const hasParts = ({ actions, links, notes }: Required<Selection>) =>
  actions.length + links.length + notes.length > 0;

const copyOf = ({ actions, notes }: MadeKeys): MadeKeys => ({ actions: [...actions], notes: [...notes] });

/** New parts of a text belong to it. */
function withMade(scope: TextScope, made: MadeKeys): TextScope {
  if (scope === 'story' || 'options' in scope) return scope;
  const both = (part: 'actions' | 'notes') => [...new Set([...(scope[part] ?? []), ...made[part]])];
  return { ...scope, actions: both('actions'), notes: both('notes') };
}
