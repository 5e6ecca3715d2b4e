import { render, waitFor } from '@testing-library/react';
import type { Knowledge } from '../../../../src/console/inspector/template-field/completions.js';
import { TemplateField } from '../../../../src/console/inspector/template-field/template-field.js';

const known = (language: Knowledge['language']): Knowledge => ({
  language,
  sample: undefined,
  functions: [],
  filters: [],
  resources: [],
  credentials: [],
  stories: [],
});

const field = (language: Knowledge['language']) => (
  <TemplateField
    label="text"
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
