import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import type { GraphAction, TemplatePreviews } from '../../../../clients/typescript/api.js';
import { type Editor, EditorProvider } from '../../../../src/console/pages/editor/editor-context.js';
import { useNotes } from '../../../../src/console/pages/editor/sample/shown-sample.js';

interface Asked {
  template: string;
  answer: () => void;
}

/** The requests for values, in their order; each is answered by the test. */
const mockAsked: Asked[] = [];

jest.mock('../../../../src/console/api/console-api.js', () => ({
  api: {
    templates: {
      previewMany: ({ templates }: { templates: { key: string; template: string }[] }) =>
        new Promise<TemplatePreviews>((done) => {
          const values = templates.map(({ key, template }) => ({
            key,
            value: template,
            type: 'text',
            size: template.length,
            truncated: false,
            error: null,
            missing: [],
          }));
          const answer = () => done({ values, sample: {} } as unknown as TemplatePreviews);
          mockAsked.push({ template: templates[0]?.template ?? '', answer });
        }),
    },
  },
}));

jest.mock('../../../../src/console/pages/editor/sample/saved-payloads.js', () => ({
  useSavedEvent: () => undefined,
}));
jest.useFakeTimers();

const actionWith = (text: string) =>
  ({
    id: 5,
    guid: 'a',
    type: 'Agents::EventTransformationAgent',
    options: { text },
  }) as unknown as GraphAction;

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

function Shown({ action }: { action: GraphAction }) {
  const notes = useNotes(action, {
    options: action.options,
    source: { kind: 'run', guid: 'r' },
    language: 'formula',
  });
  return <output>{notes.get('["text"]')?.rendered?.text}</output>;
}

test('a key press asks for values at once, and further ones while these are on their way ask once', async () => {
  const editor = { storyId: 7, teamId: 3 } as unknown as Editor;
  const client = new QueryClient();
  const shown = (text: string) => (
    <QueryClientProvider client={client}>
      <EditorProvider value={editor}>
        <Shown action={actionWith(text)} />
      </EditorProvider>
    </QueryClientProvider>
  );
  const answerLast = () => {
    mockAsked.at(-1)?.answer();
    return pass(1);
  };
  const asked = () => mockAsked.splice(0).map(({ template }) => template);
  const { rerender } = render(shown('<<a>>'));
  await pass(1);
  await answerLast();
  expect(screen.getByRole('status').textContent).toBe('<<a>>');
  expect(asked()).toEqual(['<<a>>']);

  rerender(shown('<<a>>1'));
  await pass(1);
  for (const text of ['<<a>>12', '<<a>>123', '<<a>>1234']) {
    rerender(shown(text));
    await pass(20);
  }
  await answerLast();
  await answerLast();
  expect(screen.getByRole('status').textContent).toBe('<<a>>1234');
  expect(asked()).toEqual(['<<a>>1', '<<a>>1234']);

  // An answer that takes long is given up once nobody types.
  rerender(shown('<<a>>5'));
  await pass(1);
  rerender(shown('<<a>>6'));
  await pass(200);
  expect(mockAsked).toHaveLength(1);
  await pass(100);
  await answerLast();
  expect(screen.getByRole('status').textContent).toBe('<<a>>6');
  expect(asked()).toEqual(['<<a>>5', '<<a>>6']);
});
