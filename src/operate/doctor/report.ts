import { productVersion } from '../../platform/outbound/product-version.js';
import { counted } from '../../platform/text/counted.js';
import { type DoctorFinding, type DoctorGroup, GROUPS, type Severity } from './finding.js';

/** THE order of severities, the worst first. */
export const FINDING_SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

/** The findings of all checks. */
export interface Report {
  /** The version of the program that looked. */
  version: string;
  /** Number of checks. */
  checks: number;
  /** Number of findings by severity. */
  counts: Record<Severity, number>;
  /** By group and severity. */
  findings: DoctorFinding[];
}

/** Sorts the findings and counts them. */
export function reportOf(findings: DoctorFinding[], checks: number): Report {
  const groups = Object.keys(GROUPS) as DoctorGroup[];
  const rank = ({ group, severity }: DoctorFinding) =>
    groups.indexOf(group) * FINDING_SEVERITIES.length + FINDING_SEVERITIES.indexOf(severity);
  const count = (severity: Severity) => findings.filter((each) => each.severity === severity).length;
  return {
    version: productVersion(),
    checks,
    counts: { error: count('error'), warning: count('warning'), note: count('note') },
    findings: findings.toSorted((a, b) => rank(a) - rank(b)),
  };
}

/** Returns the exit code: 2 if there is an error, 1 if there is a warning, otherwise 0. */
export function exitCodeOf({ counts }: Pick<Report, 'counts'>): 0 | 1 | 2 {
  if (counts.error > 0) return 2;
  return counts.warning > 0 ? 1 : 0;
}

/** Returns the report for a terminal: groups with headings, each finding with figure, reason and remedy. */
export function doctorReportText(report: Report): string {
  const { counts, checks, version, findings } = report;
  const sections = Object.entries(GROUPS).flatMap(([group, heading]) => {
    const own = findings.filter((each) => each.group === group);
    return own.length === 0 ? [] : [`${heading}\n${own.map(findingText).join('\n')}`];
  });
  const total = `${checks} checks of Fabula ${version}: ${counted(counts.error, 'error')}, ${counted(counts.warning, 'warning')}, ${counted(counts.note, 'note')}.`;
  return [...sections, total].join('\n\n');
}

function findingText({ id, severity, found, why, remedy }: DoctorFinding): string {
  return `  ${severity.padEnd(7)}  ${id}\n           ${found}\n           ${why}\n           → ${remedy}`;
}
