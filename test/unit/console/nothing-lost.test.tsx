import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FabulaError } from '../../../clients/typescript/errors.js';
import { keys } from '../../../src/console/api/keys.js';
import { createQueryClient } from '../../../src/console/api/query-client.js';
import { forgetTexts, useKeptText } from '../../../src/console/api/use-kept-text.js';
import { useMutation } from '../../../src/console/api/use-mutation.js';
import { noteReach } from '../../../src/console/text/server-reach.js';
import { ShownOnce } from '../../../src/console/ui/overlay/shown-once.js';
import { say, Toasts } from '../../../src/console/ui/overlay/toasts.js';
import { Answer, Loading } from '../../../src/console/ui/states.js';

const AWAY = 'The server is not responding. Trying again.';
const within = (client: QueryClient, page: React.ReactNode) =>
  render(<QueryClientProvider client={client}>{page}</QueryClientProvider>);

/** Sends on a press, and notes it. The first write ends with `end`. */
function openButton() {
  const sent: number[] = [];
  let end: (() => void) | undefined;
  function Sending() {
    const sending = useMutation({
      mutationFn: (n: number) => {
        sent.push(n);
        return new Promise<void>((done) => {
          end = done;
        });
      },
    });
    return (
      <button type="button" onClick={() => sending.mutate(sent.length + 1)}>
        {sending.isPending ? 'Sending' : 'Send'}
      </button>
    );
  }
  within(new QueryClient(), <Sending />);
  return { sent, end: () => act(async () => end?.()) };
}

function Writing() {
  const [text, setText, forget] = useKeptText('case.7.comment');
  return (
    <>
      <textarea aria-label="Comment" value={text} onChange={({ target }) => setText(target.value)} />
      <button type="button" onClick={forget}>
        Send
      </button>
    </>
  );
}
const writingAs = (id: number) => {
  const client = new QueryClient();
  client.setQueryData(keys.session, { user: { id } });
  return within(client, <Writing />);
};
const shown = () => screen.getByLabelText<HTMLTextAreaElement>('Comment').value;
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

describe('a button that writes', () => {
  it('sends once however fast it is pressed, and again once that has ended', async () => {
    const { sent, end } = openButton();
    const button = screen.getByRole('button');
    act(() => {
      button.click();
      button.click();
    });
    await screen.findByText('Sending');
    expect(sent).toEqual([1]);
    await end();
    await screen.findByText('Send');
    act(() => button.click());
    await waitFor(() => expect(sent).toEqual([1, 2]));
  });
});

describe('what is shown once', () => {
  it('stays on Escape and on a press beside it; the cross asks first', async () => {
    const calls: string[] = [];
    const onClose = () => calls.push('close');
    render(<ShownOnce title="Your key" about="Copy it." text="k-123" noun="the key" onClose={onClose} />);
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Copy the key');
    await userEvent.keyboard('{Escape}{Escape}');
    await userEvent.setup({ pointerEventsCheck: 0 }).click(document.querySelector('.dialog-back') as Element);
    expect(calls).toEqual([]);
    expect(screen.getByRole('alert').textContent).toContain('Have you copied the key?');
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(calls).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Close anyway' }));
    await userEvent.click(screen.getByRole('button', { name: 'I have copied it' }));
    expect(calls).toEqual(['close', 'close']);
  });
});

describe('a message with a button', () => {
  it('undoes what it tells of, once', async () => {
    const calls: string[] = [];
    render(<Toasts />);
    act(() => say('Duty is disabled.', 'ok', { name: 'Undo', onDo: () => calls.push('undo') }));
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(calls).toEqual(['undo']);
    await waitFor(() => expect(screen.queryByText('Duty is disabled.')).toBeNull());
  });
});

describe('a text that is written', () => {
  afterEach(() => sessionStorage.clear());

  it('outlives the page for the person who wrote it, until it is sent', async () => {
    const first = writingAs(1);
    await userEvent.type(screen.getByLabelText('Comment'), 'Half a thought');
    first.unmount();
    const other = writingAs(2);
    expect(shown()).toBe('');
    other.unmount();
    const again = writingAs(1);
    expect(shown()).toBe('Half a thought');
    await userEvent.click(screen.getByText('Send'));
    again.unmount();
    writingAs(1);
    expect(shown()).toBe('');
  });

  it('is forgotten when the person signs out', async () => {
    const first = writingAs(1);
    await userEvent.type(screen.getByLabelText('Comment'), 'Mine');
    first.unmount();
    forgetTexts();
    writingAs(1);
    expect(shown()).toBe('');
  });
});

describe('a server that is away', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => {
    noteReach(true);
    jest.useRealTimers();
  });
  it('is told of after two seconds, with its reason, and the page comes by itself', async () => {
    let isAway = true;
    function Page() {
      const query = useQuery({
        queryKey: ['info', null],
        queryFn: () => {
          if (isAway) throw new FabulaError(503, [{ message: 'The database is away' }], undefined, undefined);
          return Promise.resolve('All stories');
        },
      });
      return <Answer of={query}>{(text) => <p>{text}</p>}</Answer>;
    }
    within(
      createQueryClient(() => undefined),
      <Page />,
    );
    await pass(1_500);
    expect(screen.queryByText(AWAY)).toBeNull();
    await pass(1_000);
    expect(screen.getByText(AWAY)).toBeTruthy();
    expect(screen.getByText('The database is away')).toBeTruthy();
    await pass(60_000);
    expect(screen.getByText(AWAY)).toBeTruthy();
    isAway = false;
    await pass(4_000);
    expect(screen.getByText('All stories')).toBeTruthy();
    expect(screen.queryByText(AWAY)).toBeNull();
  });

  it('is told of wherever a page loads', async () => {
    render(<Loading />);
    act(() => noteReach(false));
    await pass(1_500);
    expect(screen.queryByText(AWAY)).toBeNull();
    await pass(1_000);
    expect(screen.getByText(AWAY)).toBeTruthy();
    act(() => noteReach(true));
    expect(screen.queryByText(AWAY)).toBeNull();
  });
});
