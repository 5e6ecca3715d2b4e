import { defaultKeymap, historyKeymap } from '@codemirror/commands';
import type { Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';

/** Returns the keys of every text editor of the console. Those of the page, such as that of trials, are not among them. */
export function editorKeys(): Extension {
  return keymap.of([...historyKeymap, ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter')]);
}
