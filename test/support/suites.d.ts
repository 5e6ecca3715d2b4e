/** The names of all suites, the gate first. */
export const SUITES: readonly string[];
/** Returns the tests in `test/system` that belong to these suites, by their names. */
export function filesOf(names: readonly string[]): string[];
/** Returns the suites that changes of these files call for, the gate not among them. */
export function suitesFor(changed: readonly string[]): string[];
/** Returns the names in a list such as `gate,doors`; `all` is every suite. @throws for a name that is none. */
export function suitesOf(list: string): readonly string[];
/** How an argument of `npm test` begins that names suites. */
export const SUITES_ARG: string;
/** Returns the suites for arguments of `npm test`: those of `--suites=…`; all, where a file or a title is asked for; else the gate. */
export function suitesToRun(given: readonly string[]): string;
