import path from 'node:path';
import { HOST_CHECKS, STORE_CHECKS } from '../../src/operate/doctor/checks.js';
import { INVALID } from '../../src/operate/doctor/checks/invalid-configuration.js';
import { type FindingKind, GROUPS, groupOf } from '../../src/operate/doctor/finding.js';
import { RUNNER_KINDS } from '../../src/operate/doctor/run-checks.js';

export const DOCTOR_PAGE = path.resolve(__dirname, '../../docs/operate/doctor.md');

const START = '<!-- findings: written by `npm run docs:doctor` -->';
const END = '<!-- end of findings -->';

/** Every kind of finding that a report may hold. */
export const ALL_KINDS: readonly FindingKind[] = [
  ...RUNNER_KINDS,
  ...STORE_CHECKS.flatMap(({ kinds }) => kinds),
  INVALID,
  ...HOST_CHECKS.flatMap(({ kinds }) => kinds),
];

const OF_OWNERS = new Set([...RUNNER_KINDS, ...STORE_CHECKS.flatMap(({ kinds }) => kinds)]);

/** The page with its tables written anew from the kinds of findings. */
export function withFindings(page: string): string {
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start === -1 || end < start) throw new Error('the page has no place for the findings');
  return `${page.slice(0, start + START.length)}\n\n${sections().join('\n\n')}\n\n${page.slice(end)}`;
}

function sections(): string[] {
  return Object.entries(GROUPS).map(([group, heading]) => {
    const own = ALL_KINDS.filter((kind) => groupOf(kind) === group);
    const rows = own.map((kind) => [
      `\`${kind.id}\`${OF_OWNERS.has(kind) ? ' *' : ''}`,
      kind.severity,
      kind.why,
      kind.remedy,
    ]);
    const lines = [
      ['Finding', 'Severity', 'Why it matters', 'Remedy'],
      ['---', '---', '---', '---'],
      ...rows,
    ];
    return [`## ${heading}`, '', ...lines.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
  });
}
