import type { Case } from '../../../../../clients/typescript/api.js';
import { PRIORITY_WORDS, STATUS_WORDS } from '../case-marks.js';
import { PRIORITIES } from '../case-query.js';

/** A column of the board. Closed cases of all priorities are in one. */
export interface Place {
  name: string;
  status: Case['status'];
  priority?: Case['priority'];
}

/** Open cases by priority, the most urgent first; then those that are closed. */
export const PLACES: readonly Place[] = [
  ...PRIORITIES.map((priority): Place => ({ name: PRIORITY_WORDS[priority], status: 'OPEN', priority })),
  { name: STATUS_WORDS.CLOSED, status: 'CLOSED' },
];

/** Whether a case is in a column. */
export function isIn(one: Pick<Case, 'status' | 'priority'>, { status, priority }: Place): boolean {
  return one.status === status && (priority === undefined || one.priority === priority);
}
