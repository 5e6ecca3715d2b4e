import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Step, StepUpdate, StepUse } from '../../../clients/typescript/api.js';
import { api } from '../../../src/console/api/console-api.js';
import { UseTable } from '../../../src/console/pages/steps/step-uses.js';
import { behindOf, decidedOf, doneWords } from '../../../src/console/pages/steps/step-words.js';
import { UpdateForm } from '../../../src/console/pages/steps/update-dialog.js';

const STEP = { id: 6, name: 'Look up a host', version: 3, team_id: 2 } as Step;
const use = (more: Partial<StepUse>): StepUse => ({
  story_id: 12,
  story_name: 'Alert triage',
  team_id: 2,
  version: 1,
  behind: true,
  changed: false,
  change_control: false,
  locked: false,
  actions: [],
  ...more,
});
const update = (more: Partial<StepUpdate>): StepUpdate => ({
  story_id: 12,
  story_name: 'Alert triage',
  status: 'ready',
  into_draft: false,
  draft_id: null,
  differences: [],
  local: [],
  conflicts: [],
  conflict_count: 0,
  problem: null,
  warnings: [],
  ...more,
});
const CONFLICT: StepUpdate['conflicts'][number] = {
  entry: 'option g options.method',
  kind: 'option',
  action: 'Look up',
  guid: 'g',
  path: 'options.method',
  base: 'get',
  story: 'put',
  step: 'post',
  because: null,
};

describe('stories as software: the stories that use a step', () => {
  it('say which version each has, and offer an update of those that are behind and may be changed', async () => {
    const updated: number[] = [];
    render(
      <UseTable
        step={STEP}
        uses={[
          use({ changed: true }),
          use({ story_id: 13, story_name: 'Current', version: 3, behind: false }),
          use({ story_id: 14, story_name: 'Closed', locked: true }),
          use({ story_id: 15, story_name: 'Of others', team_id: 9 }),
        ]}
        mayUpdate={({ team_id: team }) => team === 2}
        onUpdate={(id) => updated.push(id)}
      />,
    );
    const rows = screen.getAllByRole('row').slice(1);
    expect(rows.map((row) => row.textContent)).toEqual([
      'Alert triage changed here 1 behindUpdate to version 3',
      'Current  3 ',
      'Closed  locked1 behind',
      'Of others  1 behind',
    ]);
    await userEvent.click(screen.getByRole('button', { name: 'Update Alert triage to version 3' }));
    expect(updated).toEqual([12]);
  });

  it('are told in words', () => {
    expect(
      behindOf([use({}), use({ story_id: 13, locked: true }), use({ story_id: 14, behind: false })], 9),
    ).toEqual([12]);
    expect(
      doneWords([
        update({ status: 'updated' }),
        update({ status: 'updated', into_draft: true }),
        update({ status: 'conflicts' }),
      ]),
    ).toBe('Updated 2 stories, 1 of them in drafts, 1 left as they were.');
  });
});

const link = (receiver: string) => ({ source: 'Look up', receiver, link_type: 'DEFAULT' });

describe('stories as software: the changes of an update that need no choice', () => {
  const whole = { action: null, guid: 'g', path: null, change: 'removed' as const, after: null };
  const differences = [
    { ...whole, kind: 'action' as const, before: { name: 'Look up' } },
    { ...whole, kind: 'link' as const, before: link('Report') },
    { ...whole, kind: 'link' as const, before: link('Close') },
  ];
  const open = { action: null, guid: 'g', path: null, entry: 'x', base: null, because: null };

  it('leave out a link alone, where that link is the conflict', () => {
    const conflicts = [{ ...open, kind: 'link' as const, story: link('Report'), step: null }];
    expect(decidedOf(update({ differences, conflicts }))).toEqual([differences[0], differences[2]]);
  });

  it('leave out an action alone, where all of it is the conflict', () => {
    const conflicts = [{ ...open, kind: 'action' as const, story: { name: 'Look up' }, step: null }];
    expect(decidedOf(update({ differences, conflicts }))).toEqual(differences.slice(1));
  });
});

/** Opens the form with what a preview told. */
const open = (updates: StepUpdate[]) => {
  let closed = 0;
  render(
    <QueryClientProvider client={new QueryClient()}>
      <UpdateForm step={STEP} updates={updates} onClose={() => (closed += 1)} />
    </QueryClientProvider>,
  );
  return { closed: () => closed };
};

describe('stories as software: an update from a step', () => {
  afterEach(() => jest.restoreAllMocks());

  it('takes stories without conflicts, and those whose conflicts are all decided', async () => {
    const send = jest.spyOn(api.steps.updates, 'update').mockResolvedValue({
      updates: [update({ status: 'updated' }), update({ story_id: 13, status: 'updated' })],
    });
    const { closed } = open([
      update({
        differences: [
          {
            kind: 'option',
            change: 'changed',
            action: 'Look up',
            guid: 'g',
            path: 'options.timeout',
            before: 5,
            after: 9,
          },
        ],
      }),
      update({
        story_id: 13,
        story_name: 'Phishing',
        status: 'conflicts',
        differences: [
          {
            kind: 'option',
            change: 'changed',
            action: 'Look up',
            guid: 'g',
            path: 'options.method',
            before: 'put',
            after: 'post',
          },
        ],
        conflicts: [CONFLICT],
        conflict_count: 1,
      }),
      update({ story_id: 14, story_name: 'Closed', status: 'refused', problem: 'The story is locked' }),
    ]);
    expect(screen.getByText('The story is locked')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Update 1 story' })).toBeTruthy();
    const phishing = within(screen.getByRole('region', { name: 'Phishing' }));
    expect(phishing.getByText('get')).toBeTruthy();
    expect(phishing.getByText('Nothing else changes.')).toBeTruthy();
    await userEvent.click(phishing.getByRole('radio', { name: /Story/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Update 2 stories' }));
    expect(send).toHaveBeenCalledWith({
      id: 6,
      version: 3,
      into_drafts: false,
      stories: [
        { id: 12, resolve: [] },
        { id: 13, resolve: [{ entry: CONFLICT.entry, take: 'story' }] },
      ],
    });
    // One story is left, and says why.
    await waitFor(() => expect(screen.getByRole('button', { name: 'Update 0 stories' })).toBeTruthy());
    expect(closed()).toBe(0);
  });

  it('leads to the draft that it has made', async () => {
    jest
      .spyOn(api.steps.updates, 'update')
      .mockResolvedValue({ updates: [update({ status: 'updated', into_draft: true, draft_id: 44 })] });
    open([update({ into_draft: true })]);
    expect(screen.getByText(/under change control/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Update 1 story' }));
    const link = await screen.findByRole('link', { name: 'open the draft' });
    expect(link.getAttribute('href')).toBe('/stories/12/edit?draft=44');
  });
});
