import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import type { ActiveStory } from '../../../clients/typescript/api.js';
import { keys } from '../../../src/console/api/keys.js';
import { StoryTable } from '../../../src/console/pages/stories/story-table.js';

const STARTS = [{ starts_by: ['webhook', 'schedule'] }, { starts_by: ['schedule'] }];
const OWNERS = [
  { type: 'USER', id: 4, name: 'Ada Lovelace' },
  { type: 'TEAM', id: 6, name: 'Night shift' },
];
const stories = ['Alert triage', 'Daily digest', 'Phishing'].map(
  (name, index) =>
    ({
      id: index + 1,
      name,
      tags: [],
      folder_id: null,
      ...STARTS[index],
      owner: OWNERS[index] ?? null,
      edited_at: '2026-11-28T10:00:00Z',
    }) as unknown as ActiveStory,
);

/** The stories with those that are chosen, which stand below. */
function Chooser() {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  return (
    <>
      <StoryTable stories={stories} chosen={chosen} onChoose={setChosen} />
      <output>{[...chosen].toSorted((a, b) => a - b).join()}</output>
    </>
  );
}

function open() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.folders, []);
  client.setQueryData(keys.stats.dayOfStories, new Map());
  render(
    <QueryClientProvider client={client}>
      <Chooser />
    </QueryClientProvider>,
  );
}

const chosen = () => screen.getByRole('status').textContent;
const tick = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });

describe('the table of stories', () => {
  it('names the owner of each, with a link', () => {
    open();
    const cells = screen.getAllByRole('row').map((row) => row.querySelectorAll('td,th')[2]);
    expect(cells.map((cell) => cell?.textContent)).toEqual(['Owner', 'Ada Lovelace', 'Night shift', '–']);
    const hrefs = cells.map((cell) => cell?.querySelector('a')?.getAttribute('href') ?? '');
    expect(hrefs).toEqual(['', '/team/people/4', '/team/teams/6', '']);
  });

  it('chooses stories one by one, and lets them go', async () => {
    open();
    await userEvent.click(tick('Select Daily digest'));
    await userEvent.click(tick('Select Alert triage'));
    expect(chosen()).toBe('1,2');
    await userEvent.click(tick('Select Daily digest'));
    expect(chosen()).toBe('1');
    expect(tick('Select Daily digest').checked).toBe(false);
  });

  it('says what starts runs of a story', () => {
    open();
    const rows = screen.getAllByRole('row').slice(1);
    const starts = rows.map((row) => row.querySelector('.story-marks')?.textContent);
    expect(starts).toEqual(['starts: webhook, schedule', 'starts: schedule', undefined]);
  });

  it('chooses all of the page, and none', async () => {
    open();
    const all = tick('Select all on this page');
    await userEvent.click(tick('Select Phishing'));
    expect(all.checked).toBe(false);
    await userEvent.click(all);
    expect(chosen()).toBe('1,2,3');
    expect(all.checked).toBe(true);
    await userEvent.click(all);
    expect(chosen()).toBe('');
  });

  it('is worked with by keys alone: a row has its tick, its star and its links', async () => {
    open();
    await userEvent.tab();
    await userEvent.tab();
    expect(document.activeElement).toBe(tick('Select Alert triage'));
    await userEvent.keyboard(' ');
    expect(chosen()).toBe('1');
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    expect(screen.getByRole('button', { name: 'Unstar Alert triage' })).toBe(document.activeElement);
    await userEvent.tab();
    expect(document.activeElement?.getAttribute('href')).toBe('/stories/1');
    await userEvent.tab();
    expect(document.activeElement?.getAttribute('href')).toBe('/team/people/4');
    await userEvent.tab();
    await userEvent.keyboard(' ');
    expect(chosen()).toBe('1,2');
  });
});
