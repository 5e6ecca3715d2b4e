import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ActiveStory, Draft, StoryTestReport } from '../../../../clients/typescript/api.js';
import { api } from '../../../../src/console/api/console-api.js';
import { keys } from '../../../../src/console/api/keys.js';
import { PublishBar } from '../../../../src/console/pages/editor/publish/publish-bar.js';
import { PublishTests } from '../../../../src/console/pages/editor/publish/publish-tests.js';

const STORY = {
  id: 7,
  team_id: 3,
  name: 'Alerts',
  locked: false,
  change_control_enabled: false,
  tests_on_publish: null as 'warn' | 'block' | null,
};
const DRAFT = { id: 9, story_id: 7, name: 'Try', updated_at: '2026-11-26T20:00:00Z' } as Draft;
const coverage = { actions: [], links: [], rules: [], covered: 3, all: 4 };
const passing = { name: 'Low ones are mailed', ok: true, took_ms: 1, differences: [], problems: [] };
const failing = {
  ...passing,
  name: 'High ones open a ticket',
  ok: false,
  differences: [{ text: 'Open ticket: expected 1 request, found 0' }],
  problems: ['No answer of the test fits GET https://a.example/'],
};

/** Opens the end of the page on which a draft is published. */
function open(
  results: readonly object[],
  rights: string[] = ['read', 'write'],
  story = STORY,
  ofTenant: 'warn' | 'block' | Error = 'warn',
) {
  const report = { ok: results.every((each) => each === passing), results, coverage };
  jest.spyOn(api.stories.tests, 'runMany').mockResolvedValue(report as unknown as StoryTestReport);
  const policy = jest.spyOn(api.tenants.testSettings, 'get');
  if (ofTenant instanceof Error) policy.mockRejectedValue(ofTenant);
  else policy.mockResolvedValue({ on_publish: ofTenant });
  const publish = jest.spyOn(api.stories.drafts, 'publish').mockResolvedValue({ id: 7 } as never);
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } },
  });
  client.setQueryData(keys.session, {
    user: { id: 1 },
    teams: [{ id: 3, slug: 'own', name: 'Own', rights }],
  });
  render(
    <QueryClientProvider client={client}>
      <PublishTests story={story} draft={DRAFT} />
      <PublishBar
        story={story as ActiveStory}
        draft={DRAFT}
        solution={{ resolve: [] }}
        open={0}
        isBehind={false}
        shadow={undefined}
        onUpdated={() => undefined}
        onPublished={() => undefined}
      />
    </QueryClientProvider>,
  );
  return publish;
}

describe('stories as software: tests before a publication', () => {
  it('are told in a line if all pass', async () => {
    open([passing]);
    expect(await screen.findByText('tests pass')).toBeTruthy();
    expect(screen.queryByRole('list', { name: 'Tests that fail' })).toBeNull();
    expect(screen.queryByRole('button', { name: /despite/ })).toBeNull();
  });

  it('have more time than the server gives them, so that it says how they ended', async () => {
    open([passing]);
    await screen.findByText('tests pass');
    const [[, how]] = jest.mocked(api.stories.tests.runMany).mock.calls.slice(-1) as [
      [object, { timeoutMs?: number }],
    ];
    expect(how.timeoutMs).toBeGreaterThan(90_000);
  });

  it('say why it is not known what failing tests do', async () => {
    open([failing], ['read', 'write'], STORY, new Error('No setting today'));
    expect(await screen.findByText('No setting today')).toBeTruthy();
  });

  it('are not asked about an approval whose request cannot be read: the page says why', async () => {
    jest.spyOn(api.stories.changeRequest, 'get').mockRejectedValue(new Error('No request today'));
    open([passing], ['read', 'write'], { ...STORY, change_control_enabled: true });
    expect(await screen.findByText('No request today')).toBeTruthy();
  });

  it('are counted beside what approves the draft, with a way to them', async () => {
    const request = { id: 5, title: 'Try', status: 'PENDING', user_id: 2 };
    jest.spyOn(api.stories.changeRequest, 'get').mockResolvedValue({ change_request: request } as never);
    open([passing, failing], ['read', 'write'], { ...STORY, change_control_enabled: true });
    const link = await screen.findByRole('link', { name: '1 of 2 tests passes' });
    expect(link.getAttribute('href')).toBe('/stories/7?view=tests&draft=9');
    expect(screen.getByRole('button', { name: 'Approve' })).toBeTruthy();
  });

  it('name what fails, and why', async () => {
    open([passing, failing]);
    const list = await screen.findByRole('list', { name: 'Tests that fail' });
    expect([...list.querySelectorAll('li li')].map((each) => each.textContent)).toEqual([
      'No answer of the test fits GET https://a.example/',
      'Open ticket: expected 1 request, found 0',
    ]);
    const link = screen.getByRole('link', { name: 'High ones open a ticket' });
    expect(link.getAttribute('href')).toBe('/stories/7?view=tests&draft=9&test=High+ones+open+a+ticket');
    expect(await screen.findByText('Failing tests do not keep you from publishing.')).toBeTruthy();
  });

  it('leave the button that publishes in reach where very many fail', async () => {
    open(Array.from({ length: 500 }, (_, at) => ({ ...failing, name: `Test ${at}` })));
    const list = await screen.findByRole('list', { name: 'Tests that fail' });
    expect(within(list).getAllByRole('link')).toHaveLength(10);
    await userEvent.click(screen.getByRole('button', { name: 'Show 490 more failing tests' }));
    expect(within(list).getAllByRole('link')).toHaveLength(500);
  });

  it('say who may publish all the same where they refuse it', async () => {
    open([failing], ['read', 'write'], { ...STORY, tests_on_publish: 'block' });
    expect(await screen.findByText(/refuse this publication\. A team admin can publish/)).toBeTruthy();
  });

  it('refuse it where the tenant blocks, also for a story that says to warn', async () => {
    open([failing], ['read', 'write'], { ...STORY, tests_on_publish: 'warn' }, 'block');
    expect(await screen.findByText(/refuse this publication/)).toBeTruthy();
  });

  it('say that there are none', async () => {
    open([]);
    expect(await screen.findByText('The draft has no tests.')).toBeTruthy();
  });

  it('are passed over by a team admin with a reason, and by nobody else', async () => {
    const publish = open([failing], ['read', 'write', 'manage'], { ...STORY, tests_on_publish: 'block' });
    await userEvent.click(await screen.findByRole('button', { name: /^Publish despite failing tests/ }));
    await userEvent.type(screen.getByRole('textbox', { name: /^Reason/ }), 'The old ticket is gone');
    await userEvent.click(screen.getAllByRole('button', { name: 'Publish' }).at(-1) as HTMLElement);
    await waitFor(() =>
      expect(publish.mock.lastCall?.[0]).toEqual({
        id: 7,
        draft_id: 9,
        resolve: [],
        ignore_failed_tests: true,
        reason: 'The old ticket is gone',
      }),
    );
  });

  it('need no way around them where they only warn', async () => {
    open([failing], ['read', 'write', 'manage']);
    await screen.findByText('Failing tests do not keep you from publishing.');
    expect(screen.queryByRole('button', { name: /despite/ })).toBeNull();
  });

  it('offer editors no way around them', async () => {
    open([failing], ['read', 'write'], { ...STORY, tests_on_publish: 'block' });
    await screen.findByRole('list', { name: 'Tests that fail' });
    expect(screen.queryByRole('button', { name: /despite/ })).toBeNull();
  });
});
