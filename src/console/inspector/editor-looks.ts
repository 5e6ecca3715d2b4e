import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** Returns how every text editor of the console looks; the nonce is that of the policy of the page. */
export function editorLooks(): Extension {
  return [EditorView.cspNonce.of(globalThis.__webpack_nonce__ ?? ''), looks];
}

const looks = EditorView.theme({
  '&': {
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    background: 'var(--surface)',
    color: 'var(--ink)',
    fontSize: 'var(--text-small)',
    maxHeight: '320px',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '5px 0' },
  '.cm-gutters': {
    borderRight: '1px solid var(--line)',
    background: 'var(--surface)',
    color: 'var(--ink-soft)',
  },
  '.cm-line': { padding: '0 8px' },
  '.cm-tooltip': {
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    background: 'var(--surface)',
    color: 'var(--ink)',
    boxShadow: 'var(--shadow)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '16em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--accent-soft)',
    color: 'var(--ink)',
  },
  '.cm-completionDetail': { color: 'var(--ink-soft)', fontStyle: 'normal', marginLeft: '12px' },
  '.cm-completionInfo': { maxWidth: '320px', padding: '6px 8px', whiteSpace: 'pre-wrap' },
  '.cm-placeholder': { color: 'var(--ink-faint)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--accent-soft)' },
});
