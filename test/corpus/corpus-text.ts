import { table } from '../../src/operate/cli/cli.js';
import { countsOf, type FileReport } from '../../src/stories/check/check-report.js';
import { faultsOf, importOnlyKinds, judge } from './corpus.js';

const HEADINGS = [
  'file',
  'actions',
  'links',
  'sub-stories',
  'liquid',
  'formulas',
  'faults',
  'warnings',
  'hints',
  'import only',
];

/** The corpus file by file, its totals, and what is wrong with it. */
export function corpusText(reports: FileReport[]): string {
  const rows = reports.map((report) => row(report.file, [report]));
  const { unexpected, outdated } = judge(reports);
  return [
    table(HEADINGS, [...rows, row(`${reports.length} files`, reports)]),
    ...unexpected.map(({ file, action, option, message }) =>
      ['fault', file, action ?? 'refused', option, message].filter((part) => part !== undefined).join(': '),
    ),
    ...outdated.map(({ file, action, option }) => `no fault any more: ${file}: ${action}: ${option}`),
  ].join('\n');
}

function row(label: string, reports: FileReport[]): (string | number)[] {
  const counts = countsOf(reports);
  const kinds = [...importOnlyKinds(reports)].toSorted(([left], [right]) => left.localeCompare(right, 'en'));
  const importsThatRead = reports.filter(({ story }) => story !== undefined).length;
  return [
    label,
    counts.actions,
    counts.links,
    counts.stories - importsThatRead,
    counts.liquid,
    counts.formula,
    reports.flatMap(faultsOf).length,
    reports.reduce((sum, { warnings }) => sum + warnings.length, 0),
    counts.hints,
    kinds.map(([kind, count]) => `${count} ${kind.replace(/^EventTransformationAgent /, '')}`).join(', ') ||
      '-',
  ];
}
