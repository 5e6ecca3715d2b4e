import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import type { Quota, RunDetails } from '../../../clients/typescript/api.js';
import { keys } from '../../../src/console/api/keys.js';
import { QuotasPage } from '../../../src/console/pages/quotas/quotas-page.js';
import { WaitBanner } from '../../../src/console/pages/run/why/wait-banner.js';
import { waitSentence } from '../../../src/console/text/wait-words.js';

type Open = RunDetails['open_deliveries'][number];

const open = (reason: Open['reason'], until: string | null = null) =>
  ({ reason, waits_until: until, queue: 'email' }) as Open;

const MIDNIGHT = '2026-12-01T00:00:00Z';

describe('why work waits', () => {
  it('is said with the time at which it goes on, in UTC for a quota of a day', () => {
    expect(waitSentence('mails_per_day', MIDNIGHT)).toBe(
      'The mail quota is used up: continues after 00:00 UTC',
    );
    expect(waitSentence('mails_per_day', '2026-12-01T00:09:59Z')).toBe(
      'The mail quota is used up: continues after 00:00 UTC',
    );
    expect(waitSentence('rate_limit', MIDNIGHT)).toMatch(/^The server asked to wait: continues /);
    expect(waitSentence('retry', null)).toBe('An attempt failed: will be retried');
    expect(waitSentence('disabled', null)).toBe('The action or its story is disabled');
  });
});

const showBanner = (deliveries: Open[], status: RunDetails['status'] = 'running') =>
  render(<WaitBanner run={{ status, open_deliveries: deliveries, open_delivery_count: deliveries.length }} />)
    .container.textContent;

describe('the banner of a run that waits', () => {
  it('tells each reason once with the earliest time, and leads to the page that says more', () => {
    showBanner([
      open('mails_per_day', '2026-12-02T00:00:00Z'),
      open('mails_per_day', MIDNIGHT),
      open('group'),
    ]);
    screen.getByText('The mail quota is used up: continues after 00:00 UTC');
    screen.getByText('Waits for the rest of its group');
    expect(screen.getByRole('link').getAttribute('href')).toBe('/quotas');
    screen.getByText('3 steps to come');
  });

  it('is absent where steps have their turn, and once the run has ended', () => {
    expect(showBanner([open('queued'), open('running')])).toBe('');
    expect(showBanner([open('mails_per_day')], 'cancelled')).toBe('');
  });
});

const quota = (rest: Partial<Quota>): Quota => ({
  name: 'stories',
  used: 12,
  limit: 10_000,
  resets_at: null,
  window: null,
  waiting: 0,
  waiting_since: null,
  ...rest,
});

const showQuotas = (quotas: Quota[], board: string | null) => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.session, { user: { id: 5 }, teams: [], board_path: board });
  client.setQueryData(keys.quotas, quotas);
  render(
    <QueryClientProvider client={client}>
      <QuotasPage />
    </QueryClientProvider>,
  );
};

const row = (name: RegExp) => within(screen.getByRole('rowheader', { name }).closest('tr') as HTMLElement);

describe('the page of quotas', () => {
  it('tells of each what is used, when it resets, and what waits', () => {
    showQuotas(
      [
        quota({
          name: 'mails_per_day',
          used: 10_000,
          resets_at: MIDNIGHT,
          window: 'day',
          waiting: 10_101,
          waiting_since: '2026-11-30T08:00:00Z',
        }),
        quota({ name: 'records', used: 8_100 }),
        quota({ used: 1, limit: 100_000 }),
        quota({ name: 'schedules', limit: null, waiting: null }),
      ],
      '/admin/queues',
    );
    screen.getByText('1 used up · 1 at 80 % or above');
    row(/^Mails/).getByText('of 10,000, used up');
    row(/^Mails/).getByText('00:00 UTC');
    expect(
      row(/^Mails/)
        .getByText('10,101 deliveries')
        .getAttribute('href'),
    ).toBe('/inbox?kind=held');
    row(/^Records/).getByText('of 10,000, 81 %');
    row(/^Stories/).getByText('of 100K, below 0.1 %');
    row(/^Schedules/).getByText('no limit');
    row(/^Schedules/).getByText('unknown');
    screen.getByText('fabula tenant quota --set mails_per_day=20000');
  });

  it('names no command to those who do not run the server', () => {
    showQuotas([quota({})], null);
    screen.getByText('all below 80 %');
    expect(screen.queryByText(/^fabula/)).toBeNull();
  });
});
