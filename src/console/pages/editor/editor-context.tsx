import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { EditorState, EditorStore } from '../../story-model/editor-store.js';
import type { Command } from '../../story-model/story-draft.js';
import type { Renamer } from './action/renamer.js';
import type { Keeper } from './save/keeper.js';
import type { Saver } from './save/saver.js';
import type { ViewState, ViewStore } from './view-store.js';

/** An open story. */
export interface Editor {
  storyId: number;
  /** The draft that is edited; undefined: the live story is. */
  draftId: number | undefined;
  teamId: number;
  store: EditorStore;
  view: ViewStore;
  saver: Saver;
  keeper: Keeper;
  renamer: Renamer;
  /** The name of this tab among those that edit in this browser. */
  tab: string;
  /** Why nothing can be changed, in a sentence; undefined: all can. */
  readOnly: string | undefined;
}

const Context = createContext<Editor | undefined>(undefined);

/** Gives the open story to the pieces of the editor. */
export const EditorProvider = Context.Provider;

/** Returns the open story. */
export function useEditor(): Editor {
  const editor = useContext(Context);
  if (editor === undefined) throw new Error('No story is open.');
  return editor;
}

/** Returns a part of the story under edit. `select` must return the same object while nothing changed there. */
export function useEdited<Part>(select: (state: EditorState) => Part): Part {
  return useStore(useEditor().store, select);
}

/** Returns a part of the view. */
export function useView<Part>(select: (state: ViewState) => Part): Part {
  return useStore(useEditor().view, select);
}

/** Runs a command, and says what it did. */
export function runIn({ store, view }: Pick<Editor, 'store' | 'view'>, command: Command): void {
  const before = store.getState().history.past;
  store.getState().run(command);
  const { past } = store.getState().history;
  if (past !== before) view.getState().say(past.at(-1)?.label ?? '');
}

/** Returns what runs a command, and says what it did. Nothing happens in a story that cannot be changed. */
export function useRun(): (command: Command) => void {
  const { store, view, readOnly } = useEditor();
  return (command) => {
    if (readOnly !== undefined) view.getState().say(readOnly);
    else runIn({ store, view }, command);
  };
}
