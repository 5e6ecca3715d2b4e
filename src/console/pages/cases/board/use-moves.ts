import { useState } from 'react';
import type { Case } from '../../../../../clients/typescript/api.js';
import { sentencesOf } from '../../../text/problems.js';
import { say } from '../../../ui/overlay/toasts.js';
import { STATUS_WORDS } from '../case-marks.js';
import { setStatus, useCaseWork } from '../cases-data.js';
import { isolated } from '../../../text/isolated.js';

/** Moves cases between the states of the board. */
export interface Moves {
  /** Asks for another state of a case; the same one asks for nothing. */
  move: (one: Case, status: Case['status']) => void;
  /** Why the last move of a case was refused, by its id. */
  refusals: ReadonlyMap<number, string[]>;
  isBusy: boolean;
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
  const move = (one: Case, status: Case['status']) => {
    if (one.status === status) return;
    const { case_id: id, name } = one;
    work.mutate(() => setStatus(one, status), {
      onSuccess: () => {
        note(id, undefined);
        say(`${isolated(shortened(name))}: ${STATUS_WORDS[status].toLowerCase()}.`);
      },
      onError: (error) => note(id, sentencesOf(error)),
    });
  };
  return { move, refusals, isBusy: work.isPending };
}

const shortened = (name: string) => (name.length > 80 ? `${name.slice(0, 80)}…` : name);
