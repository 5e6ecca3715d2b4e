import { history } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { editorKeys } from '../editor-keys.js';
import { editorLooks } from '../editor-looks.js';

/** A field for JSON, outside of React. */
export interface JsonMirror {
  setText: (text: string) => void;
  destroy: () => void;
}

interface JsonMirrorOptions {
  parent: HTMLElement;
  text: string;
  label: string;
  isReadOnly: boolean;
  onText: (text: string) => void;
  onLeave: () => void;
}

/** Makes a field with colours for JSON. Tab leaves it, as it leaves any field. */
export function createJsonMirror({
  parent,
  text,
  label,
  isReadOnly,
  onText,
  onLeave,
}: JsonMirrorOptions): JsonMirror {
  let isOuter = false;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        lineNumbers(),
        json(),
        indentOnInput(),
        bracketMatching(),
        syntaxHighlighting(COLOURS),
        editorKeys(),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        EditorState.readOnly.of(isReadOnly),
        EditorView.editable.of(!isReadOnly),
        editorLooks(),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isOuter) onText(update.state.doc.toString());
          if (update.focusChanged && !update.view.hasFocus) onLeave();
        }),
      ],
    }),
  });
  return {
    setText: (next) => {
      isOuter = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
      isOuter = false;
    },
    destroy: () => view.destroy(),
  };
}

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--ok)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
]);
