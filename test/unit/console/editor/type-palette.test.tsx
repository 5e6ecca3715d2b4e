import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Step } from '../../../../clients/typescript/api.js';
import { TypePalette } from '../../../../src/console/pages/editor/canvas/adding/type-palette.js';

const KINDS = ['Webhook', 'Trigger', 'Explode'].map((name) => ({
  id: name.toLowerCase(),
  type: `Agents::${name}Agent`,
  name,
  description: `${name} of events`,
  options: {},
}));

const REQUEST = {
  id: 'Agents::HTTPRequestAgent',
  type: 'Agents::HTTPRequestAgent',
  name: 'HTTP request',
  description: 'Sends a request',
  options: {},
};

const STEPS = [{ guid: '5e90', name: 'Look up a host', description: 'Asks the asset register' }] as Step[];

/** Opens the palette. Returns what it has called. */
function open(isOpen = true, kinds = KINDS, steps: Step[] = [], error?: Error): string[] {
  const calls: string[] = [];
  render(
    <TypePalette
      kinds={kinds}
      steps={steps}
      stepsFailed={error && { error, refetch: () => calls.push('retry') }}
      isOpen={isOpen}
      field={() => undefined}
      onOpen={(is) => calls.push(`open ${is}`)}
      onAdd={({ name }) => calls.push(`add ${name}`)}
      onStep={({ name }) => calls.push(`step ${name}`)}
      onImport={(source) => calls.push(`import ${source}`)}
      onEscape={() => calls.push('escape')}
    />,
  );
  return calls;
}
const field = () => screen.getByRole('combobox', { name: 'Actions to add' });
const names = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

describe('the palette of actions', () => {
  it('is searched by text, and Enter adds the chosen one', async () => {
    const calls = open();
    await userEvent.type(field(), 'gg');
    expect(names()).toEqual(['Trigger']);
    await userEvent.keyboard('{Enter}');
    expect(names()).toEqual(['Webhook', 'Trigger', 'Explode']);
    await userEvent.type(field(), '{ArrowDown}{ArrowDown}');
    expect(screen.getByRole('option', { selected: true }).textContent).toBe('Explode');
    expect(field().getAttribute('aria-activedescendant')).toBe(
      screen.getByRole('option', { selected: true }).id,
    );
    await userEvent.keyboard('{Enter}{Escape}');
    expect(calls).toEqual(['add Trigger', 'add Explode', 'escape']);
  });

  it('says why steps are not listed, and asks for them again', async () => {
    const calls = open(true, KINDS, [], new Error('The server is unreachable.'));
    expect(screen.getByRole('alert').textContent).toContain(
      'Steps are not listed. The server is unreachable.',
    );
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(calls).toEqual(['retry']);
  });

  it('says that nothing is found, and adds nothing then', async () => {
    const calls = open();
    await userEvent.type(field(), 'zebra{Enter}');
    expect(screen.getByText('No results.')).toBeTruthy();
    expect(calls).toEqual([]);
  });

  it('adds by a press, and gives a drag the kind', async () => {
    const calls = open();
    await userEvent.click(screen.getByRole('option', { name: 'Webhook' }));
    expect(calls).toEqual(['add Webhook']);
    const data = new Map<string, string>();
    const dataTransfer = { setData: (type: string, value: string) => data.set(type, value) };
    fireEvent.dragStart(screen.getByRole('option', { name: 'Trigger' }), { dataTransfer });
    expect([...data]).toEqual([['application/x-fabula-action', 'trigger']]);
  });

  it('offers requests that are described elsewhere below the HTTP request, and finds them by name', async () => {
    const calls = open(true, [...KINDS, REQUEST]);
    expect(names()).toEqual([
      'Webhook',
      'Trigger',
      'Explode',
      'HTTP request',
      'Paste a curl command',
      'Import from OpenAPI',
    ]);
    await userEvent.click(screen.getByRole('option', { name: 'Paste a curl command' }));
    await userEvent.type(field(), 'openapi');
    expect(names()).toEqual(['Import from OpenAPI']);
    await userEvent.keyboard('{Enter}');
    expect(calls).toEqual(['import curl', 'import openapi']);
  });

  it('is opened and closed by a press', async () => {
    const calls = open(false);
    await userEvent.click(screen.getByRole('button', { name: 'Add an action (a)' }));
    expect(calls).toEqual(['open true']);
  });
});

describe('stories as software: steps in the palette', () => {
  it('stand behind the kinds, and are found by name and by what they do', async () => {
    const calls = open(true, KINDS, STEPS);
    expect(names()).toEqual(['Webhook', 'Trigger', 'Explode', 'Look up a hoststep']);
    await userEvent.type(field(), 'register{Enter}');
    const data = new Map<string, string>();
    const dataTransfer = { setData: (type: string, value: string) => data.set(type, value) };
    fireEvent.dragStart(screen.getByRole('option', { name: /Look up/ }), { dataTransfer });
    expect([calls, ...data.values()]).toEqual([['step Look up a host'], '5e90']);
  });
});
