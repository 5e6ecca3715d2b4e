import { useRef, useState } from 'react';
import type { Case } from '../../../../../clients/typescript/api.js';
import { sentencesOf } from '../../../text/problems.js';
import { say } from '../../../ui/overlay/toasts.js';
import { moveCase, useCaseWork } from '../cases-data.js';
import { isolated } from '../../../text/isolated.js';
import { isIn, type Place } from './places.js';

/** Moves cases between the columns of the board. */
export interface Moves {
  /** Moves a case to a column; the one that it is in asks for nothing. */
  move: (one: Case, place: Place) => void;
  /** A case is dragged, until it is dropped over a column. */
  lift: (one: Case) => void;
  /** Drops the case with this id, if it is the one that was lifted. */
  drop: (id: number, place: Place) => void;
  /** Why the last move of a case was refused, by its id. */
  refusals: ReadonlyMap<number, string[]>;
}

/** Returns the moves of a board. A refusal is kept beside its card, not shown as a message that goes away. */
export function useMoves(): Moves {
  const work = useCaseWork({ quiet: true, isParallel: true });
  const [refusals, setRefusals] = useState<ReadonlyMap<number, string[]>>(new Map());
  const note = (id: number, sentences: string[] | undefined) =>
    setRefusals((before) => {
      const after = new Map(before);
      if (sentences === undefined) after.delete(id);
      else after.set(id, sentences);
      return after;
    });
  const lifted = useRef<Case>(undefined);
  const move = (one: Case, place: Place) => {
    if (isIn(one, place)) return;
    const { case_id: id, name } = one;
    work.mutate(() => moveCase(one, place), {
      onSuccess: () => {
        note(id, undefined);
        say(`${isolated(shortened(name))} moved to ${place.name}.`);
      },
      onError: (error) => note(id, sentencesOf(error)),
    });
  };
  return {
    move,
    lift: (one) => {
      lifted.current = one;
    },
    drop: (id, place) => {
      const { current: one } = lifted;
      lifted.current = undefined;
      // A case of another window is not the one that was lifted here.
      if (one?.case_id === id) move(one, place);
    },
    refusals,
  };
}

const shortened = (name: string) => (name.length > 80 ? `${name.slice(0, 80)}…` : name);
