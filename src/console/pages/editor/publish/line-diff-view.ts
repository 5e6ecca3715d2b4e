import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { editorLooks } from '../../../inspector/editor-looks.js';

interface LineDiffOptions {
  label: string;
  before: string;
  after: string;
}

/** Shows two texts line by line; lines in which nothing differs are folded. Returns what takes it away. */
export function createLineDiff(parent: HTMLElement, { label, before, after }: LineDiffOptions): () => void {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: after,
      extensions: [
        editorLooks(),
        colours,
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': `${label}, compared by line`, tabindex: '0' }),
        unifiedMergeView({
          original: before,
          mergeControls: false,
          collapseUnchanged: { margin: 2, minSize: 4 },
        }),
      ],
    }),
  });
  return () => view.destroy();
}

const colours = EditorView.theme({
  '.cm-changedLine': { background: 'var(--ok-soft)' },
  '.cm-deletedChunk': { background: 'var(--bad-soft)', color: 'var(--ink)', padding: '0 8px' },
  '.cm-changedText': { background: 'color-mix(in srgb, var(--ok) 25%, transparent)' },
  '.cm-deletedText': { background: 'color-mix(in srgb, var(--bad) 25%, transparent)' },
  '.cm-gutters': { border: '0', background: 'var(--sunken)' },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"…"' },
  '.cm-collapsedLines': { background: 'var(--sunken)', color: 'var(--ink-soft)' },
});
