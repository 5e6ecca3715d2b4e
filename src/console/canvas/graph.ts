import type { Action, Note } from '../../../clients/typescript/api.js';

/** The parts of a story that the canvas draws. */
export interface Graph {
  actions: Action[];
  notes: Note[];
}
