import { useState } from 'react';
import type { Case } from '../../../../../clients/typescript/api.js';
import { FabulaError } from '../../../../../clients/typescript/client.js';
import { sentencesOf } from '../../../text/problems.js';
import { say } from '../../../ui/overlay/toasts.js';
import { STATUS_WORDS } from '../../cases/case-marks.js';
import { moveCase, useCaseWork } from '../../cases/cases-data.js';

/** Closes a case and opens it again. */
export interface Closing {
  set: (status: Case['status']) => void;
  isBusy: boolean;
  /** The server's reasons against closing, by the place of the condition. */
  refusals: ReadonlyMap<number, string>;
}

const PLACE = /^closure_conditions\[(\d+)\]/;

/** Returns what closes a case. A refusal for a condition is kept for its place; any other is a message. */
export function useClosing(one: Case): Closing {
  const work = useCaseWork({ quiet: true });
  // A change of the case may have met a condition: what was said before is old then. Its time alone does not tell: it has seconds.
  const [said, setSaid] = useState<{ of: Case | undefined; refusals: Map<number, string> }>({
    of: undefined,
    refusals: new Map(),
  });
  const set = (status: Case['status']) =>
    work.mutate(() => moveCase(one, { status }), {
      onSuccess: () => say(`The case is ${STATUS_WORDS[status].toLowerCase()}.`),
      onError: (error) => {
        const refusals = refusalsIn(error);
        setSaid({ of: one, refusals });
        if (refusals.size === 0) say(sentencesOf(error).join(' '), 'bad');
      },
    });
  const isOld = said.of !== one;
  return { set, isBusy: work.isPending, refusals: isOld ? new Map() : said.refusals };
}

function refusalsIn(error: unknown): Map<number, string> {
  const problems = error instanceof FabulaError ? error.problems : [];
  return new Map(
    problems.flatMap(({ message, details }): [number, string][] => {
      const place = PLACE.exec(details ?? '')?.[1];
      return place === undefined ? [] : [[Number(place), message]];
    }),
  );
}
