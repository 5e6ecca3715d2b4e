import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { SearchField } from '../../../src/console/ui/form/search-field.js';

/** A page with a search, a field for something else, and a press that takes all filters away. */
function SearchPage({ told }: { told: string[] }) {
  const [text, setText] = useState('');
  return (
    <>
      <SearchField
        label="Find a story"
        placeholder="Name"
        text={text}
        onSearch={(next) => {
          told.push(next);
          setText(next);
        }}
      />
      <input aria-label="Note" />
      <button type="button" onClick={() => setText('')}>
        Show all
      </button>
    </>
  );
}

function open() {
  const told: string[] = [];
  render(<SearchPage told={told} />);
  const field = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Find a story' });
  return { told, field };
}

describe('a search field', () => {
  it('is reached by / from anywhere, which is not typed into it', async () => {
    const { field } = open();
    await userEvent.keyboard('/');
    expect(document.activeElement).toBe(field);
    expect(field.value).toBe('');
    await userEvent.keyboard('a/b');
    expect(field.value).toBe('a/b');
  });

  it('leaves / to another field, and to a shortcut of the browser', async () => {
    const { field } = open();
    const note = screen.getByLabelText<HTMLInputElement>('Note');
    await userEvent.type(note, 'and/or');
    expect(note.value).toBe('and/or');
    await userEvent.click(document.body);
    await userEvent.keyboard('{Control>}/{/Control}');
    expect(document.activeElement).not.toBe(field);
  });

  it('asks once for a word, not once for each letter', async () => {
    const { told, field } = open();
    await userEvent.type(field, 'triage');
    await waitFor(() => expect(told).toEqual(['triage']));
  });

  it('takes over a text that is set elsewhere, without asking for it', async () => {
    const { told, field } = open();
    await userEvent.type(field, 'mail');
    await waitFor(() => expect(told).toEqual(['mail']));
    await userEvent.click(screen.getByRole('button', { name: 'Show all' }));
    expect(field.value).toBe('');
    await userEvent.type(field, 'logs');
    await waitFor(() => expect(told).toEqual(['mail', 'logs']));
  });
});
