import { variablesIn } from './variable.js';
import { VARIABLES } from './variables.js';

/** Returns the names of all variables of the environment that are read, other spellings included. */
export function knownVariables(): string[] {
  return variablesIn(VARIABLES).flatMap(({ name, facts }) => [name, ...(facts.names ?? [])]);
}
