import type { Reason, ReasonKind } from '../monitoring/reasons/reason.js';

export type { Severity } from '../monitoring/reasons/reason.js';

/** THE groups of findings, in the order of the report, each with its heading. */
export const GROUPS = {
  doctor: 'The doctor itself',
  database: 'Database',
  redis: 'Redis',
  work: 'Work and processes',
  spool: 'Spool',
  configuration: 'Configuration',
  outbound: 'Outbound connections',
  disk: 'Disk',
} as const;
export type DoctorGroup = keyof typeof GROUPS;

/** A kind of finding: all that is known about it before a check runs. */
export type FindingKind = ReasonKind;

/** A fault that a check has found. */
export interface DoctorFinding extends Reason {
  group: DoctorGroup;
}

/** Returns reasons, which the status shows too, as findings. */
export function toFindings(reasons: readonly Reason[]): DoctorFinding[] {
  return reasons.map((reason) => ({ ...reason, group: groupOf(reason) }));
}

/** Returns a finding of this kind with its facts. */
export function finding(kind: FindingKind, found: string): DoctorFinding {
  return { ...kind, group: groupOf(kind), found };
}

/** Returns the finding in a list if `isFound`; otherwise an empty list. */
export function findingIf(isFound: boolean, kind: FindingKind, found: string): DoctorFinding[] {
  return isFound ? [finding(kind, found)] : [];
}

/** Returns the group that the id of a kind begins with. @throws Error if there is no such group. */
export function groupOf({ id }: Pick<FindingKind, 'id'>): DoctorGroup {
  const group = Object.keys(GROUPS).find((name) => id.startsWith(`${name}.`));
  if (group === undefined) throw new Error(`The finding ${id} belongs to no group`);
  return group as DoctorGroup;
}
