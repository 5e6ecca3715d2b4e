import type { OptionTable } from './agent-docs.js';

/** The option of every type: the engine evaluates it, no schema of a type has it. */
export const LOCAL_OPTION: OptionTable = {
  local: {
    description:
      'Values for the formulas of this action, as `LOCAL.name`. Evaluated before the other options, from top to bottom.',
    example: { name: '=UPCASE(receive.body.name)' },
  },
};

/** The option of the types that can repeat. */
export const LOOP_OPTION: OptionTable = {
  loop: {
    description:
      'A list or an object: the action runs once for each element and emits one list of the results. Templates can use the element as `LOOP.value`.',
    example: '=receive.body.items',
  },
};
