import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import type { DraftConflict } from '../../../../clients/typescript/api.js';
import {
  type Choices,
  ConflictChoices,
  type Side,
} from '../../../../src/console/pages/editor/publish/conflict-choices.js';

const conflict = (at: number): DraftConflict => ({
  kind: 'option',
  action: `Action ${at}`,
  guid: 'g',
  path: 'options.a',
  entry: `entry ${at}`,
  base: 1,
  live: 2,
  draft: 3,
  because: null,
});

/** Shows conflicts, of which the first ones are listed. */
function open(listed: number, count: number) {
  const chosen: { rest?: Side | undefined; choices: Choices } = { choices: new Map() };
  function Page() {
    const [choices, setChoices] = useState<Choices>(new Map());
    const [rest, setRest] = useState<Side>();
    const [shown, setListed] = useState(listed);
    Object.assign(chosen, { choices, rest });
    return (
      <ConflictChoices
        conflicts={Array.from({ length: shown }, (_, at) => conflict(at))}
        count={count}
        choices={choices}
        rest={rest}
        isListing={false}
        onMore={() => setListed(count)}
        onChoose={(entry, side) => setChoices(new Map([...choices, [entry, side]]))}
        onRest={(side) => {
          setRest(side);
          setChoices(new Map());
        }}
      />
    );
  }
  render(<Page />);
  return chosen;
}

const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const side = (at: number, name: string) =>
  within(screen.getByRole('group', { name: new RegExp(`Action ${at} `) })).getByRole<HTMLInputElement>(
    'radio',
    {
      name: new RegExp(name),
    },
  );

describe('conflicts of a draft', () => {
  it('are chosen for each story by itself, also where two stories of a page have the same entry', async () => {
    open(1, 1);
    open(1, 1);
    const radios = screen.getAllByRole<HTMLInputElement>('radio', { name: /^Live story/ });
    await userEvent.click(radios[0] as HTMLElement);
    await userEvent.click(screen.getAllByRole('radio', { name: /^Draft/ })[1] as HTMLElement);
    expect(radios.map(({ checked }) => checked)).toEqual([true, false]);
  });

  it('take one side for all, with exceptions', async () => {
    const chosen = open(60, 130);
    expect(screen.getByText('70 conflicts not listed yet.')).toBeTruthy();
    await press('Take all of the live story');
    expect(side(3, 'Live story').checked).toBe(true);
    expect(screen.getByText('All 130 use the live story.')).toBeTruthy();
    await userEvent.click(side(3, 'Draft'));
    expect(screen.getByText('All use the live story except 1 choice below.')).toBeTruthy();
    expect(chosen).toEqual({ rest: 'live', choices: new Map([['entry 3', 'draft']]) });
    await press('Take all of the draft');
    expect(chosen).toEqual({ rest: 'draft', choices: new Map() });
    expect(screen.getByText(/70 conflicts not listed yet. They use the draft/)).toBeTruthy();
  });

  it('have exceptions beyond those that are listed at first', async () => {
    const chosen = open(1, 3);
    await press('Take all of the live story');
    await press('List more conflicts');
    expect(screen.queryByText(/not listed yet/)).toBeNull();
    await userEvent.click(side(2, 'Draft'));
    expect(chosen).toEqual({ rest: 'live', choices: new Map([['entry 2', 'draft']]) });
  });

  it('are drawn as many as a person asks for', async () => {
    open(60, 60);
    expect(screen.queryByRole('group', { name: /Action 55/ })).toBeNull();
    await press('Show 10 more of 10');
    expect(side(55, 'Draft').checked).toBe(false);
  });

  it('have no choice for all where there is one', () => {
    open(1, 1);
    expect(screen.queryByRole('group', { name: 'All conflicts' })).toBeNull();
  });
});
