import { currentCompletions, startCompletion } from '@codemirror/autocomplete';
import { EditorView } from '@codemirror/view';
import { render, screen, waitFor } from '@testing-library/react';
import type { Knowledge } from '../../../../src/console/inspector/template-field/completions.js';
import { TemplateField } from '../../../../src/console/inspector/template-field/template-field.js';

const known = (language: Knowledge['language']): Knowledge => ({
  language,
  sample: undefined,
  actions: [],
  functions: [],
  filters: [],
  resources: [],
  credentials: [],
  stories: [],
});

const field = (language: Knowledge['language'], label = 'text') => (
  <TemplateField
    label={label}
    text="Hi {{ name }}"
    knowledge={known(language)}
    faults={[]}
    onText={() => undefined}
  />
);

it('colours a template in the language of the story, also when that becomes known later', async () => {
  const { container, rerender } = render(field('formula'));
  await waitFor(() => expect(container.querySelector('.cm-content')).not.toBeNull());
  expect(container.querySelector('.tpl-delimiter')).toBeNull();
  rerender(field('liquid'));
  await waitFor(() => expect(container.querySelector('.tpl-delimiter')?.textContent).toBe('{{'));
});

it('goes on where a person types when its editor has come, and follows a new name', async () => {
  const { container, rerender } = render(field('formula'));
  const plain = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'text' });
  plain.focus();
  await waitFor(() => expect(container.querySelector('.cm-content')).not.toBeNull());
  const editor = screen.getByRole('textbox', { name: 'text' });
  expect(plain.isConnected).toBe(false);
  expect(document.activeElement).toBe(editor);
  rerender(field('formula', 'title'));
  expect(screen.getByRole('textbox', { name: 'title' })).toBe(editor);
});

it('has one field at each moment, so that the focus of the plain one cannot go with it', async () => {
  const { container } = render(field('formula'));
  const counted: number[] = [];
  const watch = new MutationObserver(() => {
    counted.push(container.querySelectorAll('textarea, .cm-content').length);
  });
  watch.observe(container, { childList: true, subtree: true });
  await waitFor(() => expect(container.querySelector('.cm-content')).not.toBeNull());
  watch.disconnect();
  expect(new Set(counted)).toEqual(new Set([1]));
});

/** Returns what types into the start of a field, letter by letter, and what is written then. */
async function typing(text: string) {
  const { container } = render(
    <TemplateField
      label="text"
      text={text}
      knowledge={known('formula')}
      faults={[]}
      onText={() => undefined}
    />,
  );
  await waitFor(() => expect(container.querySelector('.cm-content')).not.toBeNull());
  const view = EditorView.findFromDOM(container.querySelector<HTMLElement>('.cm-editor')!)!;
  view.dispatch({ selection: { anchor: 0 } });
  // As the editor does for a key.
  const type = (letters: string) => {
    for (const letter of letters) {
      const { from, to } = view.state.selection.main;
      const insert = () =>
        view.state.update({ changes: { from, to, insert: letter }, selection: { anchor: from + 1 } });
      const handlers = view.state.facet(EditorView.inputHandler);
      if (!handlers.some((handle) => handle(view, from, to, letter, insert))) view.dispatch(insert());
    }
    return view.state.doc.toString();
  };
  return type;
}

describe('typed code of a formula', () => {
  it('is closed by itself, and by the person too', async () => {
    const type = await typing('');
    expect(type('<<')).toBe('<<>>');
    expect(type('a.b')).toBe('<<a.b>>');
    expect(type('>>')).toBe('<<a.b>>');
    expect(type(' <<n > 1>>!')).toBe('<<a.b>> <<n > 1>>!');
  });

  it('is left open before a word', async () => {
    const type = await typing('name>>');
    expect(type('<<')).toBe('<<name>>');
  });
});

/** Returns what a field offers at the end of a text, in its order. */
async function offered(text: string, knowledge: Partial<Knowledge>): Promise<string[]> {
  const { container } = render(
    <TemplateField
      label="text"
      text={text}
      knowledge={{ ...known('formula'), ...knowledge }}
      faults={[]}
      onText={() => undefined}
    />,
  );
  await waitFor(() => expect(container.querySelector('.cm-content')).not.toBeNull());
  const view = EditorView.findFromDOM(container.querySelector<HTMLElement>('.cm-editor')!)!;
  view.dispatch({ selection: { anchor: text.length } });
  startCompletion(view);
  await waitFor(() => expect(currentCompletions(view.state)).not.toEqual([]));
  return currentCompletions(view.state).map(({ label }) => label);
}

const ABS = { name: 'ABS', signature: 'ABS(number)', description: '', example: '' };

it('offers what the story has before the functions', async () => {
  const labels = await offered('<<', { sample: { receive_call: {} }, functions: [ABS] });
  expect([labels[0], labels.at(-1)]).toEqual(['receive_call', 'ABS']);
});

describe('letters find a nested value', () => {
  const sample = { hook: { headers: { accept: '*/*' }, body: { zip: 1, city: 'London' } } };

  it.each([
    ['by its own name', '<<ci'],
    ['by a part of its name', '<<ity'],
    ['by letters of its path', '<<hkcity'],
    ['below what is written', '<<hook.ci'],
  ])('%s', async (_, text) => {
    const labels = await offered(text, { sample, functions: [ABS] });
    expect(labels[0]).toBe(text === '<<hook.ci' ? 'body.city' : 'hook.body.city');
  });
});
