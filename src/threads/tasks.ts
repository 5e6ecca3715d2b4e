/**
 * THE list of what threads do, by name. The code of each is loaded when it is first asked for: a pure function, whose input and output
 * go through a structured clone. Other threads import the types of this file only.
 */
export const TASKS = {};
