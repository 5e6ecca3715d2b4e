import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { OPENS_ROW, useOpenRows } from '../../../src/console/ui/lists/open-rows.js';

/** A page with a table whose rows open by a link or a button, and one row that opens nothing. */
function ListPage({ did }: { did: string[] }) {
  return (
    <main {...useOpenRows()}>
      <table>
        <tbody>
          <tr>
            <td>
              <input type="checkbox" aria-label="Select alerts" />
              <a
                href="/stories/1"
                {...OPENS_ROW}
                onClick={(event) => {
                  event.preventDefault();
                  did.push('alerts');
                }}
              >
                Alerts
              </a>
            </td>
            <td>twelve runs</td>
            <td>
              <button type="button" onClick={() => did.push('star')}>
                Star
              </button>
            </td>
          </tr>
          <tr>
            <td>
              <button type="button" {...OPENS_ROW} onClick={() => did.push('record')}>
                Record
              </button>
            </td>
            <td>a value</td>
          </tr>
          <tr>
            <td>nothing to open</td>
          </tr>
        </tbody>
      </table>
    </main>
  );
}

function open(): { did: string[]; tabs: jest.SpyInstance } {
  const did: string[] = [];
  const tabs = jest.spyOn(window, 'open').mockReturnValue(null);
  render(<ListPage did={did} />);
  return { did, tabs };
}

afterEach(() => {
  getSelection()?.removeAllRanges();
  jest.restoreAllMocks();
});

describe('rows of a list', () => {
  it('open by a press anywhere on them, once', async () => {
    const { did } = open();
    await userEvent.click(screen.getByText('twelve runs'));
    await userEvent.click(screen.getByText('a value'));
    await userEvent.click(screen.getByText('Alerts'));
    await userEvent.click(screen.getByText('nothing to open'));
    expect(did).toEqual(['alerts', 'record', 'alerts']);
  });

  it('leave a press on another control to it', async () => {
    const { did } = open();
    await userEvent.click(screen.getByLabelText('Select alerts'));
    await userEvent.click(screen.getByText('Star'));
    expect(did).toEqual(['star']);
  });

  it('open in a tab of their own with Ctrl, Command or the middle button', () => {
    const { did, tabs } = open();
    const cell = screen.getByText('twelve runs');
    fireEvent.click(cell, { ctrlKey: true });
    fireEvent.click(cell, { metaKey: true });
    fireEvent(cell, new MouseEvent('auxclick', { button: 1, bubbles: true }));
    fireEvent(cell, new MouseEvent('auxclick', { button: 2, bubbles: true }));
    expect(tabs.mock.calls.map(([address, where]) => [new URL(address).pathname, where])).toEqual([
      ['/stories/1', '_blank'],
      ['/stories/1', '_blank'],
      ['/stories/1', '_blank'],
    ]);
    expect(did).toEqual([]);
  });

  it('stay closed while text is marked', () => {
    const { did } = open();
    const cell = screen.getByText('twelve runs');
    const range = document.createRange();
    range.selectNodeContents(cell);
    getSelection()?.addRange(range);
    fireEvent.click(cell);
    expect(did).toEqual([]);
  });

  it('are walked by j and k, and opened by Enter', async () => {
    const { did } = open();
    await userEvent.keyboard('j{Enter}jj{Enter}k{Enter}');
    expect(did).toEqual(['alerts', 'record', 'alerts']);
  });
});
