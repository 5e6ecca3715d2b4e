import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Dialog } from '../../../src/console/ui/overlay/dialog.js';
import { FormDialog } from '../../../src/console/ui/overlay/form-dialog.js';
import { Question } from '../../../src/console/ui/overlay/question.js';

/** Opens a dialog with a field, a list and a tick. Returns what it has called, by name. */
function openForm() {
  const calls: string[] = [];
  render(
    <FormDialog
      title="New team"
      button="Make it"
      isBusy={false}
      onClose={() => calls.push('close')}
      onSend={(form) => calls.push(`send ${JSON.stringify(new FormData(form).get('name'))}`)}
    >
      <input name="name" aria-label="Name" />
      <textarea aria-label="Notes" />
      <select aria-label="Role">
        <option>Viewer</option>
        <option>Editor</option>
      </select>
    </FormDialog>,
  );
  return calls;
}

/** A page with a button that opens a dialog. */
function Page() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {isOpen && (
        <Dialog title="A dialog" onClose={() => setOpen(false)}>
          <input aria-label="Field" />
        </Dialog>
      )}
    </>
  );
}

describe('a dialog with a form', () => {
  it('has its first field in focus, or what is marked', () => {
    openForm();
    expect(document.activeElement).toBe(screen.getByLabelText('Name'));
    render(
      <Dialog title="Rename" onClose={() => undefined}>
        <input type="checkbox" aria-label="All" />
        <textarea aria-label="Reason" />
        <button type="button" data-first>
          Rename it
        </button>
      </Dialog>,
    );
    expect(document.activeElement?.textContent).toBe('Rename it');
  });

  it('that only asks has Cancel in focus, not the cross', () => {
    render(
      <Question
        title="Drop all?"
        about="This cannot be undone."
        button="Drop"
        isBusy={false}
        onClose={() => undefined}
        onYes={() => undefined}
      />,
    );
    expect(document.activeElement?.textContent).toBe('Cancel');
  });

  it('gives the focus back to where it was when it is closed', async () => {
    render(<Page />);
    await userEvent.click(screen.getByText('Open'));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Open'));
  });

  it('closes on Escape while nothing is typed', async () => {
    const calls = openForm();
    await userEvent.selectOptions(screen.getByLabelText('Role'), 'Editor');
    await userEvent.keyboard('{Escape}');
    expect(calls).toEqual(['close']);
  });

  it.each(['Name', 'Notes'])('keeps a text in %s on Escape, and says so', async (label) => {
    const calls = openForm();
    await userEvent.type(screen.getByLabelText(label), 'Blue');
    await userEvent.keyboard('{Escape}');
    expect(calls).toEqual([]);
    expect(screen.getByLabelText<HTMLInputElement>(label).value).toBe('Blue');
    expect(screen.getByRole('status').textContent).toMatch(/unsaved input/);
  });

  it('keeps a text when a person presses beside the dialog', async () => {
    const calls = openForm();
    await userEvent.type(screen.getByLabelText('Name'), 'Blue');
    await userEvent.setup({ pointerEventsCheck: 0 }).click(document.querySelector('.dialog-back') as Element);
    expect(calls).toEqual([]);
  });

  it('sends the text on Enter, and is left with its buttons', async () => {
    const calls = openForm();
    await userEvent.type(screen.getByLabelText('Name'), 'Blue{Enter}');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(calls).toEqual(['send "Blue"', 'close', 'close']);
  });
});

describe('a dialog to search with', () => {
  it('closes on Escape, whatever is typed', async () => {
    const calls: string[] = [];
    render(
      <Dialog title="Search" dropsText onClose={() => calls.push('close')}>
        <input aria-label="Text" />
      </Dialog>,
    );
    await userEvent.type(screen.getByLabelText('Text'), 'triage{Escape}');
    expect(calls).toEqual(['close']);
  });
});
