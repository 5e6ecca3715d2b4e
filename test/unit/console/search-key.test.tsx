import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { useSearchKey } from '../../../src/console/app/use-search-key.js';
import { useKeys } from '../../../src/console/keys/use-keys.js';

/** Shows a page in the frame, and presses `/`. Returns how often the palette was opened. */
async function press(page: ReactNode): Promise<number> {
  const openPalette = jest.fn();
  const Frame = () => {
    useSearchKey(openPalette);
    return <main>{page}</main>;
  };
  render(<Frame />);
  await userEvent.keyboard('/');
  return openPalette.mock.calls.length;
}

describe('the key / of every page', () => {
  it('leads to the first field of the search or the filters', async () => {
    const filters = (
      <search>
        <select aria-label="Status" />
        <input aria-label="Subject" />
      </search>
    );
    expect(await press(filters)).toBe(0);
    expect(document.activeElement).toBe(screen.getByLabelText('Status'));
  });

  it('opens the palette where the page has neither', async () => {
    expect(await press(<h1>Home</h1>)).toBe(1);
  });

  it('is left to a page that says where it leads', async () => {
    const found = jest.fn();
    const Own = () => {
      useKeys('page', { '/': found });
      return null;
    };
    expect([await press(<Own />), found.mock.calls.length]).toEqual([0, 1]);
  });

  it('does nothing below a dialog', async () => {
    const dialog = (
      <div role="dialog">
        <button type="button" ref={(button) => button?.focus()}>
          Cancel
        </button>
      </div>
    );
    expect(await press(dialog)).toBe(0);
  });
});
