import { history } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, Transaction } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { FormatName } from '../../text/formats/text-format.js';
import { changeBetween } from '../change-between.js';
import { editorKeys } from '../editor-keys.js';
import { editorLooks } from '../editor-looks.js';
import { jsonValueAt } from './json-value-at.js';
import { yamlColours } from './yaml-colours.js';

/** A field for JSON or YAML, outside of React. */
export interface TextMirror {
  /** Shows another text; the cursor stays where it can, and the keys of undo leave the change alone. */
  setText: (text: string) => void;
  /** Marks a place from which the text is wrong; undefined: nowhere. Returns its line, from 1. */
  setFault: (fault: { message: string; at: number } | undefined) => number | undefined;
  /** Returns the text of the value at the cursor, in JSON; undefined: there is none. */
  valueText: () => string | undefined;
  /** Puts another value in the place of the one at the cursor, and the focus behind it; without one, at the cursor. */
  putValue: (value: string) => void;
  /** Puts the cursor and the focus at a place. */
  goTo: (at: number) => void;
  destroy: () => void;
}

interface TextMirrorOptions {
  parent: HTMLElement;
  text: string;
  format: FormatName;
  label: string;
  isReadOnly: boolean;
  /** Whether it fills its parent, instead of growing to some lines. */
  isTall?: boolean;
  onText: (text: string) => void;
  onLeave: () => void;
}

/** Makes a field with colours. Tab leaves it, as it leaves any field. */
export function createTextMirror({
  parent,
  text,
  format,
  label,
  isReadOnly,
  isTall = false,
  onText,
  onLeave,
}: TextMirrorOptions): TextMirror {
  let isOuter = false;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        lineNumbers(),
        lintGutter(),
        format === 'json' ? json() : yamlColours,
        indentOnInput(),
        bracketMatching(),
        syntaxHighlighting(COLOURS),
        editorKeys(),
        EditorView.lineWrapping,
        // Keys scroll a text that cannot be changed, too.
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        EditorState.readOnly.of(isReadOnly),
        EditorView.editable.of(!isReadOnly),
        // The first of two themes counts.
        ...(isTall ? [TALL] : []),
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
      view.dispatch({
        changes: changeBetween(view.state.doc.toString(), next),
        annotations: Transaction.addToHistory.of(false),
      });
      isOuter = false;
    },
    setFault: (fault) => {
      const { doc } = view.state;
      if (fault === undefined) {
        view.dispatch(setDiagnostics(view.state, []));
        return undefined;
      }
      const from = Math.min(fault.at, doc.length);
      const line = doc.lineAt(from);
      const mark = { from, to: line.to, message: fault.message, severity: 'error' as const };
      view.dispatch(setDiagnostics(view.state, [mark]));
      return line.number;
    },
    valueText: () => {
      const place = jsonValueAt(view.state);
      return place === undefined ? undefined : view.state.sliceDoc(place.from, place.to);
    },
    putValue: (value) => {
      const { from, to } = jsonValueAt(view.state) ?? view.state.selection.main;
      view.dispatch({
        changes: { from, to, insert: value },
        selection: { anchor: from + value.length },
        scrollIntoView: true,
        userEvent: 'input',
      });
      view.focus();
    },
    goTo: (at) => {
      view.dispatch({ selection: { anchor: Math.min(at, view.state.doc.length) }, scrollIntoView: true });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

const TALL = EditorView.theme({ '&': { maxHeight: 'none', height: '100%' } });

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--ok)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--warn)' },
  { tag: tags.comment, color: 'var(--ink-soft)', fontStyle: 'italic' },
]);
