import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import type { Schedule } from '../../../clients/typescript/api.js';
import { keys } from '../../../src/console/api/keys.js';
import { ScheduleTable } from '../../../src/console/pages/schedules/schedule-table.js';

const MINUTE_MS = 60_000;

const due = (id: number, inMs: number, paused = false) =>
  ({
    id,
    team_id: 1,
    cron: '*/5 * * * *',
    timezone: 'UTC',
    action: { id, name: `Action ${id}`, disabled: false },
    story: { id: 1, name: 'Poll', disabled: false, locked: false, change_control_enabled: false },
    paused_at: paused ? '2026-11-30T00:00:00Z' : null,
    next_at: new Date(Date.now() + inMs).toISOString(),
    last_at: null,
    last_run: null,
    last_skip: null,
  }) as unknown as Schedule;

function open(schedules: Schedule[]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.session, { user: { id: 1 }, rights: [], teams: [] });
  render(
    <QueryClientProvider client={client}>
      <ScheduleTable schedules={schedules} />
    </QueryClientProvider>,
  );
}

const row = (id: number) => screen.getByRole('row', { name: new RegExp(`Action ${id} `) });

describe('the table of schedules', () => {
  it('names a start that is late, and not one that is paused or just due', () => {
    open([due(1, -10 * MINUTE_MS), due(2, -10 * MINUTE_MS, true), due(3, -1_000), due(4, 10 * MINUTE_MS)]);
    expect(row(1).textContent).toContain('late due 10 min ago');
    expect(row(2).textContent).toContain('never');
    expect(row(3).textContent).not.toContain('late');
    expect(row(4).textContent).toMatch(/in (9|10) min/);
  });
});
