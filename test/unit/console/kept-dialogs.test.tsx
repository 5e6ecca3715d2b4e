import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import type { Case } from '../../../clients/typescript/api.js';
import { api } from '../../../src/console/api/console-api.js';
import { keys } from '../../../src/console/api/keys.js';
import { ConditionDialog } from '../../../src/console/pages/case/closing/condition-dialog.js';
import { NewResourceDialog } from '../../../src/console/pages/resources/new-resource-dialog.js';

const CASE = { case_id: 7, closure_conditions: [] } as unknown as Case;

/** Shows a dialog on a page that was just loaded; returns what leaves the page. */
function load(dialog: ReactNode) {
  const client = new QueryClient();
  const teams = [{ id: 3, name: 'Own', rights: ['read', 'write'] }];
  client.setQueryData(keys.session, { user: { id: 4 }, teams });
  return render(<QueryClientProvider client={client}>{dialog}</QueryClientProvider>).unmount;
}

const newResource = () => <NewResourceDialog name="" team={3} onClose={() => undefined} />;
const type = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Type' });
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

describe.each([
  ['condition of a case', /^Formula/, () => <ConditionDialog one={CASE} onClose={() => undefined} />],
  ['resource', /^Value/, newResource],
] as const)('the text of a new %s', (_what, label, dialog) => {
  const text = () => screen.getByRole<HTMLInputElement>('textbox', { name: label });
  afterEach(() => sessionStorage.clear());

  it('outlives a reload of the page, until it is given up', async () => {
    const leave = load(dialog());
    await userEvent.type(text(), 'typed');
    leave();
    load(dialog());
    expect(text().value).toBe('typed');
    // One press does not take it away.
    await userEvent.keyboard('{Escape}');
    screen.getByText(/You have unsaved input/);
    expect(text().value).toBe('typed');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(sessionStorage).toHaveLength(0);
  });
});

it('a value of a new resource comes back with its type', async () => {
  const leave = load(newResource());
  await userEvent.selectOptions(type(), 'json');
  await userEvent.type(screen.getByRole('textbox', { name: /^Value/ }), '[[1, 2]');
  leave();
  load(newResource());
  expect(type().value).toBe('json');
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Value/ }).value).toBe('[1, 2]');
  sessionStorage.clear();
});

it('a condition that was added is forgotten by the browser, as it was typed', async () => {
  const update = jest.spyOn(api.cases, 'update').mockResolvedValue(CASE);
  load(<ConditionDialog one={CASE} onClose={() => undefined} />);
  await userEvent.type(field('Name'), 'Has a verdict');
  await userEvent.type(screen.getByRole('textbox', { name: /^Formula/ }), 'true');
  expect(sessionStorage).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Add condition' }));
  const closure = [{ name: 'Has a verdict', formula: 'true' }];
  await waitFor(() => expect(update).toHaveBeenCalledWith({ id: 7, closure_conditions: closure }));
  await waitFor(() => expect(sessionStorage).toHaveLength(0));
  update.mockRestore();
});
