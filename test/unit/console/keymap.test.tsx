import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { CANVAS_KEYS, type Scope } from '../../../src/console/keys/keymap.js';
import { useKeys } from '../../../src/console/keys/use-keys.js';

/** Binds these keys in a scope; each press of one is noted. */
function Bound({ scope, names, did }: { scope: Scope; names: string[]; did: string[] }) {
  useKeys(scope, Object.fromEntries(names.map((name) => [name, () => did.push(`${scope}: ${name}`)])));
  return null;
}

/** Opens a page with a canvas and a field, and keys in each. Returns what they did. */
function open(): string[] {
  const did: string[] = [];
  render(
    <>
      <Bound scope="page" names={['?', 'g s', 's', 'Delete', 'Mod+k', 'Mod+y', 'constructor']} did={did} />
      <Bound scope="canvas" names={['Delete', 'Mod+z']} did={did} />
      <Bound scope="field" names={['Mod+k']} did={did} />
      <button type="button" {...CANVAS_KEYS}>
        An action
      </button>
      <input aria-label="Name" />
      <select aria-label="Kind" />
    </>,
  );
  return did;
}

/** Puts the focus on what matches, and presses keys. */
async function press(on: string, keys: string) {
  const element = document.querySelector<HTMLElement>(on) ?? document.body;
  if (element === document.body) (document.activeElement as HTMLElement).blur();
  else element.focus();
  await userEvent.keyboard(keys);
}

describe('the keymap', () => {
  it('has the keys of the page where nothing narrower is', async () => {
    const did = open();
    await press('body', '?{Delete}{Control>}k{/Control}{Control>}z{/Control}');
    expect(did).toEqual(['page: ?', 'page: Delete', 'page: Mod+k']);
  });

  it('asks a canvas before the page', async () => {
    const did = open();
    await press('button', '?{Delete}{Meta>}z{/Meta}');
    expect(did).toEqual(['page: ?', 'canvas: Delete', 'canvas: Mod+z']);
  });

  it('leaves a field its keys but for those that are bound there', async () => {
    const did = open();
    await press('input', 'g?s{Delete}{Control>}z{/Control}{Control>}k{/Control}');
    expect(did).toEqual(['field: Mod+k']);
    expect(document.querySelector('input')?.value).toBe('g?s');
    await press('body', 's');
    expect(did.slice(1)).toEqual(['page: s']);
  });

  it('lets a choice, which cannot undo, have the keys of the page with Ctrl', async () => {
    const did = open();
    await press('select', 's{Delete}{Control>}k{/Control}{Control>}y{/Control}');
    expect(did).toEqual(['field: Mod+k', 'page: Mod+y']);
  });

  it('waits for the second key of a pair, and takes one that is none by itself', async () => {
    const did = open();
    await press('body', 'gsgg?s');
    expect(did).toEqual(['page: g s', 'page: ?', 'page: s']);
  });

  it('forgets the first key of a pair after a moment: the second one does nothing, and counts by itself later', async () => {
    const did = open();
    const now = jest.spyOn(Date, 'now').mockReturnValue(1_000);
    await press('body', 'g');
    now.mockReturnValue(2_200);
    await press('body', 's');
    expect(did).toEqual([]);
    await press('body', 's');
    expect(did).toEqual(['page: s']);
    await press('body', 'g');
    now.mockReturnValue(7_200);
    await press('body', 's');
    now.mockRestore();
    expect(did).toEqual(['page: s', 'page: s']);
  });

  it('does nothing for other keys, and for letters with Alt', async () => {
    const did = open();
    await press('body', 'x{Alt>}s{/Alt}');
    expect(did).toEqual([]);
  });

  it('lets the binding count that came last, and the one below it after that', async () => {
    const did: string[] = [];
    render(<Bound scope="page" names={['s']} did={did} />);
    const other: string[] = [];
    const { unmount } = render(<Bound scope="page" names={['s']} did={other} />);
    await press('body', 's');
    unmount();
    await press('body', 's');
    expect([other, did]).toEqual([['page: s'], ['page: s']]);
  });
});
