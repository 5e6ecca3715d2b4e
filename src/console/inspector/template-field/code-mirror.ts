import {
  autocompletion,
  type Completion as Option,
  closeBrackets,
  closeCompletion,
  completionKeymap,
  type CompletionSource,
  completionStatus,
} from '@codemirror/autocomplete';
import { history } from '@codemirror/commands';
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension, Prec, RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  placeholder,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { changeBetween } from '../change-between.js';
import { editorKeys } from '../editor-keys.js';
import { editorLooks } from '../editor-looks.js';
import { type Completion, completionsAt, type Knowledge } from './completions.js';
import { colouredTokens } from './template-tokens.js';
import { codeAt, type TemplateLanguage } from './template-syntax.js';

/** A field for a template, outside of React. */
export interface TemplateView {
  /** Shows another text, as after an undo; the cursor stays where it can. */
  setText: (text: string) => void;
  setFaults: (faults: readonly TemplateMark[]) => void;
  setLabel: (label: string) => void;
  /** Puts a template at the cursor, and the focus there; inside of code, what stands between its delimiters. */
  insert: (template: string) => void;
  setReadOnly: (isReadOnly: boolean) => void;
  /** Gives it the focus; `at`: with the cursor at this place. */
  focus: (at?: number) => void;
  destroy: () => void;
}

/** A remark about a place in a template. */
export interface TemplateMark {
  from: number;
  to: number;
  message: string;
  isError: boolean;
}

/** How a field begins, and whom it tells. */
export interface TemplateViewOptions {
  parent: HTMLElement;
  text: string;
  label: string;
  /** Read anew for each completion. */
  knowledge: () => Knowledge;
  hint?: string;
  isReadOnly: boolean;
  onText: (text: string) => void;
  onLeave: () => void;
  onFocus: () => void;
}

/** Makes a field with colours, completion and marks for faults. Tab leaves it, as it leaves any field. */
export function createTemplateView(options: TemplateViewOptions): TemplateView {
  const { parent, text, label, knowledge, hint, onText } = options;
  const [writable, named] = [new Compartment(), new Compartment()];
  const { language } = knowledge();
  // An outer change of the text is no change of the person's.
  let isOuter = false;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        closeBrackets(),
        ...(language === 'formula' ? [closesCode()] : []),
        // Enter takes what is shown, from the moment in which it is shown.
        autocompletion({
          override: [source(knowledge)],
          icons: false,
          activateOnTypingDelay: 20,
          interactionDelay: 0,
          defaultKeymap: false,
        }),
        COMPLETION_KEYS,
        editorKeys(),
        EditorView.lineWrapping,
        named.of(nameOf(label)),
        ...(hint === undefined ? [] : [placeholder(hint)]),
        writable.of(writing(options.isReadOnly)),
        colours(language),
        editorLooks(),
        colourLooks,
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isOuter) onText(update.state.doc.toString());
          if (update.focusChanged) (update.view.hasFocus ? options.onFocus : options.onLeave)();
        }),
      ],
    }),
  });
  return {
    setText: (next) => {
      const now = view.state.doc.toString();
      if (now === next) return;
      isOuter = true;
      view.dispatch({ changes: changeBetween(now, next) });
      isOuter = false;
    },
    setFaults: (faults) => {
      const { length } = view.state.doc;
      const marks = faults.map(
        ({ from, to, message, isError }): Diagnostic => ({
          from: Math.min(from, length),
          to: Math.min(Math.max(to, from), length),
          message,
          severity: isError ? 'error' : 'warning',
        }),
      );
      view.dispatch(setDiagnostics(view.state, marks));
    },
    insert: (template) => {
      const at = view.state.selection.main.from;
      const isInCode = codeAt(view.state.doc.toString(), at, language) !== undefined;
      const inserted = isInCode ? template.slice(2, -2).trim() : template;
      view.dispatch(view.state.replaceSelection(inserted));
      view.focus();
    },
    setReadOnly: (isReadOnly) => view.dispatch({ effects: writable.reconfigure(writing(isReadOnly)) }),
    setLabel: (next) => view.dispatch({ effects: named.reconfigure(nameOf(next)) }),
    focus: (at) => {
      if (at !== undefined) view.dispatch({ selection: { anchor: Math.min(at, view.state.doc.length) } });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

/** Values of the story are listed before the many functions; paths to nested ones come once letters name them. */
const BOOSTS: Record<Completion['kind'], number> = {
  tag: 99,
  value: 98,
  name: 50,
  function: 0,
  filter: 0,
  path: -1,
};

/** Writes `>>` behind a typed `<<` where a word does not follow; a typed `>>` before it takes its place. */
function closesCode(): Extension {
  return EditorView.inputHandler.of((view, from, to, text) => {
    const { doc, readOnly } = view.state;
    if (readOnly || view.compositionStarted) return false;
    const [before, behind] = [doc.sliceString(0, from), doc.sliceString(to, to + 2)];
    const opens =
      text === '<' &&
      before.endsWith('<') &&
      !before.endsWith('<<') &&
      /^(\s|$)/.test(behind) &&
      codeAt(before, from, 'formula') === undefined;
    const closes = text === '>' && before.endsWith('>') && behind === '>>' && from === to;
    if (!opens && !closes) return false;
    view.dispatch({
      changes: opens ? { from, to, insert: '<>>' } : { from, to: to + 2, insert: '>' },
      selection: { anchor: from + 1 },
      userEvent: 'input.type',
    });
    return true;
  });
}

/** Escape closes a list that is shown; while one is only looked for, the key is not lost, and leads out of the field. */
const COMPLETION_KEYS = Prec.highest(
  keymap.of(
    completionKeymap.map((binding) =>
      binding.key === 'Escape' ? { key: 'Escape', run: closeShownList } : binding,
    ),
  ),
);

function closeShownList(view: EditorView): boolean {
  const isShown = completionStatus(view.state) === 'active';
  closeCompletion(view);
  return isShown;
}

/** Tab leads there also where nothing can be written. */
const nameOf = (label: string) => EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' });

function writing(isReadOnly: boolean): Extension {
  return [EditorState.readOnly.of(isReadOnly), EditorView.editable.of(!isReadOnly)];
}

function source(knowledge: () => Knowledge): CompletionSource {
  return ({ state, pos, explicit }) => {
    const known = knowledge();
    const found = completionsAt(state.doc.toString(), pos, known);
    if (found === undefined || (!explicit && found.completions.length === 0)) return null;
    return {
      from: found.from,
      // Typing on narrows the same list, until a dot or a bracket opens another one.
      validFor: /^[\w@]*$/,
      options: found.completions.map(
        ({ label, text, kind, detail, info }): Option => ({
          label,
          detail,
          type: kind,
          boost: BOOSTS[kind],
          ...(info !== '' && { info }),
          apply: kind === 'function' ? applyCall(text) : text,
        }),
      ),
    };
  };
}

/** Writes `NAME()` with the cursor between the parentheses, unless there are some. */
function applyCall(name: string): NonNullable<Option['apply']> {
  return (view, _completion, from, to) => {
    const hasCall = view.state.sliceDoc(to, to + 1) === '(';
    view.dispatch({
      changes: { from, to, insert: hasCall ? name : `${name}()` },
      selection: { anchor: from + name.length + 1 },
      userEvent: 'input.complete',
    });
  };
}

function colours(language: TemplateLanguage): Extension {
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = decorated(view.state, language);
      }
      update({ docChanged, state }: ViewUpdate) {
        if (docChanged) this.decorations = decorated(state, language);
      }
    },
    { decorations: ({ decorations }) => decorations },
  );
}

function decorated(state: EditorState, language: TemplateLanguage): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to, kind } of colouredTokens(state.doc.toString(), language)) {
    builder.add(from, to, Decoration.mark({ class: `tpl-${kind}` }));
  }
  return builder.finish();
}

const colourLooks = EditorView.theme({
  '.tpl-code': { background: 'var(--accent-soft)', borderRadius: '2px' },
  '.tpl-delimiter': { color: 'var(--accent)', background: 'var(--accent-soft)' },
  '.tpl-text': { color: 'var(--ok)', background: 'var(--accent-soft)' },
  '.tpl-number': { color: 'var(--warn)', background: 'var(--accent-soft)' },
  '.tpl-call': { color: 'var(--accent)', background: 'var(--accent-soft)', fontWeight: '600' },
  '.tpl-word': { color: 'var(--bad)', background: 'var(--accent-soft)' },
});
