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
