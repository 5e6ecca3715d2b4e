import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, Router, useParams, useSearch } from 'wouter';
import { useOpenRows } from '../../../src/console/ui/lists/open-rows.js';
import { ErrorBoundary } from '../../../src/console/app/error-boundary.js';
import { BoundaryContext, RowLink, Split, useFilteredAddress } from '../../../src/console/ui/split/split.js';

/** The page of a thing, which has a tab in its own address, and a link elsewhere. */
function Thing() {
  const { id } = useParams<{ id: string }>();
  if (id === '3' && isBroken) throw new Error('This thing is broken.');
  if (drawn.at(-1) !== id) drawn.push(id);
  const tab = new URLSearchParams(useSearch()).get('tab') ?? 'first';
  return (
    <article>
      <h2>
        Thing {id}, {tab}
      </h2>
      <Link href={`/things/${id}?tab=second`}>Second tab</Link>
      <Link href="/things/9">Thing nine</Link>
      <Link href="/elsewhere">Elsewhere</Link>
    </article>
  );
}

/** A filter of the list, which the address holds. */
function Filter() {
  const go = useFilteredAddress();
  return (
    <button type="button" onClick={() => go('/things?status=all')}>
      All
    </button>
  );
}

function Things() {
  return (
    <main {...useOpenRows()}>
      <Filter />
      <Split path="/things/:id" page={Thing} label="Thing">
        <table>
          <tbody>
            {[1, 2, 3].map((id) => (
              <tr key={id}>
                <td>
                  <RowLink href={`/things/${id}`}>Row {id}</RowLink>
                </td>
                <td>value {id}</td>
              </tr>
            ))}
            <tr>
              <td>
                <RowLink href="/others/4">Other</RowLink>
              </td>
            </tr>
          </tbody>
        </table>
      </Split>
    </main>
  );
}

let isWide = true;
let isBroken = false;
/** The pages that were drawn. */
let drawn: string[] = [];
const changed = new Set<() => void>();

beforeEach(() => {
  isWide = true;
  isBroken = false;
  drawn = [];
  window.matchMedia = ((media: string) => ({
    media,
    get matches() {
      return isWide;
    },
    addEventListener: (_kind: string, onChange: () => void) => changed.add(onChange),
    removeEventListener: (_kind: string, onChange: () => void) => changed.delete(onChange),
  })) as unknown as typeof matchMedia;
});

function open(address = '/console/things?status=failed') {
  history.replaceState(null, '', address);
  render(
    <Router base="/console">
      <BoundaryContext value={(page) => <ErrorBoundary>{page}</ErrorBoundary>}>
        <Things />
      </BoundaryContext>
    </Router>,
  );
}

const place = () => decodeURIComponent(location.pathname + location.search);
const heading = () => screen.queryByRole('heading')?.textContent;
const opened = (path: string) => `/console/things?status=failed&open=${path}`;

it('opens a row beside the list, by a press on it or its link; the address holds it', async () => {
  open();
  const entries = history.length;
  await userEvent.click(screen.getByText('value 2'));
  expect([place(), heading()]).toEqual([opened('/things/2'), 'Thing 2, first']);
  expect(screen.getByRole('link', { name: 'Row 2' }).getAttribute('aria-current')).toBe('true');
  await userEvent.click(screen.getByRole('link', { name: 'Row 3' }));
  expect([place(), heading()]).toEqual([opened('/things/3'), 'Thing 3, first']);
  // One entry for all rows: Back closes it.
  expect(history.length).toBe(entries + 1);
  expect(screen.getByRole('link', { name: 'Full page' }).getAttribute('href')).toBe('/console/things/3');
});

it('keeps the own address of the page beside the list, and leaves by other links', async () => {
  open('/console/things?status=failed&open=%2Fthings%2F1%3Ftab%3Dsecond');
  expect(heading()).toBe('Thing 1, second');
  await userEvent.click(screen.getByRole('link', { name: 'Thing nine' }));
  expect([place(), heading()]).toEqual([opened('/things/9'), 'Thing 9, first']);
  await userEvent.click(screen.getByRole('link', { name: 'Second tab' }));
  expect([place(), heading()]).toEqual([opened('/things/9?tab=second'), 'Thing 9, second']);
  await userEvent.click(screen.getByRole('link', { name: 'Elsewhere' }));
  expect(place()).toBe('/console/elsewhere');
});

it('goes on by j and k, and closes by Escape and its button; the row has the focus then', async () => {
  open('/console/things?status=failed&open=%2Fthings%2F1');
  await userEvent.keyboard('j');
  expect(document.activeElement?.textContent).toBe('Row 2');
  await screen.findByRole('heading', { name: 'Thing 2, first' });
  await userEvent.keyboard('{Escape}');
  expect([place(), heading()]).toEqual(['/console/things?status=failed', undefined]);
  expect(document.activeElement?.textContent).toBe('Row 2');
  await userEvent.keyboard('j');
  expect([heading(), document.activeElement?.textContent]).toEqual([undefined, 'Row 3']);
  await userEvent.keyboard('{Enter}');
  expect(heading()).toBe('Thing 3, first');
  const back = new Promise((done) => addEventListener('popstate', done, { once: true }));
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await act(() => back);
  expect([place(), heading()]).toEqual(['/console/things?status=failed', undefined]);
});

it('opens none of the rows that a held key passes', async () => {
  open('/console/things?status=failed&open=%2Fthings%2F1');
  await userEvent.keyboard('jj');
  expect([document.activeElement?.textContent, heading()]).toEqual(['Row 3', 'Thing 1, first']);
  await screen.findByRole('heading', { name: 'Thing 3, first' });
  expect(drawn).toEqual(['1', '3']);
});

it('opens no row any more once it is closed', async () => {
  jest.useFakeTimers();
  const user = userEvent.setup({ advanceTimers: (ms) => jest.advanceTimersByTime(ms) });
  open('/console/things?status=failed&open=%2Fthings%2F1');
  await user.keyboard('j{Escape}');
  act(() => jest.advanceTimersByTime(1_000));
  expect(place()).toBe('/console/things?status=failed');
  jest.useRealTimers();
});

it('stays beside a list whose filters change, and Back still closes it', async () => {
  open();
  await userEvent.click(screen.getByRole('link', { name: 'Row 2' }));
  await userEvent.click(screen.getByRole('button', { name: 'All' }));
  expect([place(), heading()]).toEqual(['/console/things?status=all&open=/things/2', 'Thing 2, first']);
  expect(history.state).toEqual({ beside: true });
});

it('keeps the list where the page beside it breaks; another row leads on', async () => {
  const told = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  isBroken = true;
  open();
  await userEvent.click(screen.getByRole('link', { name: 'Row 3' }));
  screen.getByText('This thing is broken.');
  await userEvent.click(screen.getByRole('link', { name: 'Row 2' }));
  expect(heading()).toBe('Thing 2, first');
  told.mockRestore();
});

it('gives the focus to the list if the row has left it', async () => {
  open('/console/things?open=%2Fthings%2F7');
  await userEvent.keyboard('{Escape}');
  expect(document.activeElement?.className).toBe('split-list');
});

it('leads to the page itself in a narrow window, with Control, and to what does not belong beside the list', async () => {
  open();
  await userEvent.click(screen.getByRole('link', { name: 'Other' }));
  expect(place()).toBe('/console/others/4');
  isWide = false;
  act(() => {
    for (const onChange of changed) onChange();
  });
  act(() => history.replaceState(null, '', '/console/things'));
  await userEvent.click(screen.getByRole('link', { name: 'Row 1' }));
  expect(place()).toBe('/console/things/1');
});

it('shows the page alone for an address from a wide window, and nothing for one of another kind', () => {
  isWide = false;
  open('/console/things?open=%2Fthings%2F2');
  expect(place()).toBe('/console/things/2');
});

it('shows no page that does not belong beside the list', () => {
  open('/console/things?open=%2Fteam');
  expect([heading(), screen.queryByRole('link', { name: 'Full page' })]).toEqual([undefined, null]);
});
