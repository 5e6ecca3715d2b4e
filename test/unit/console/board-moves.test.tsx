import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { Case } from '../../../clients/typescript/api.js';
import { api } from '../../../src/console/api/console-api.js';
import { PLACES } from '../../../src/console/pages/cases/board/places.js';
import { useMoves } from '../../../src/console/pages/cases/board/use-moves.js';

const caseOf = (id: number, more: Partial<Case> = {}) =>
  ({ case_id: id, name: `Case ${id}`, status: 'OPEN', priority: 'HIGH', ...more }) as Case;
const placeOf = (name: string) => PLACES.find((place) => place.name === name)!;

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
);

function open() {
  const update = jest.spyOn(api.cases, 'update').mockResolvedValue({} as Case);
  const { result } = renderHook(useMoves, { wrapper });
  return { update, moves: result };
}

afterEach(() => jest.restoreAllMocks());

describe('a case on the board', () => {
  it('that gets another priority stays as open or closed as somebody else has made it', async () => {
    const { update, moves } = open();
    act(() => moves.current.move(caseOf(7), placeOf('Low')));
    await waitFor(() => expect(update).toHaveBeenCalledWith({ id: 7, priority: 'LOW' }));
  });

  it('is closed with the priority that it has', async () => {
    const { update, moves } = open();
    act(() => moves.current.move(caseOf(7), placeOf('Closed')));
    await waitFor(() => expect(update).toHaveBeenCalledWith({ id: 7, status: 'CLOSED' }));
  });

  it('is opened with the priority of the column', async () => {
    const { update, moves } = open();
    act(() => moves.current.move(caseOf(7, { status: 'CLOSED' }), placeOf('Low')));
    await waitFor(() => expect(update).toHaveBeenCalledWith({ id: 7, status: 'OPEN', priority: 'LOW' }));
  });

  it('is not moved by a drop of a case of another window', async () => {
    const { update, moves } = open();
    act(() => {
      moves.current.lift(caseOf(7));
      moves.current.drop(8, placeOf('Low'));
      moves.current.drop(7, placeOf('Low'));
    });
    act(() => {
      moves.current.lift(caseOf(9));
      moves.current.drop(9, placeOf('Low'));
    });
    await waitFor(() => expect(update).toHaveBeenCalledTimes(1));
    expect(update).toHaveBeenCalledWith({ id: 9, priority: 'LOW' });
  });
});
