import { counted } from '../../platform/text/counted.js';
import { visibleText } from '../../platform/visible-text.js';
import {
  type ActionReport,
  countsOf,
  type FileReport,
  type CheckFinding,
  type StoryNeeds,
  type StoryReport,
} from './check-report.js';

const STATES = {
  runs: 'runs',
  fails: 'fails',
  disabled: 'does not run',
  import_only: 'does not run',
};

/** Formats the reports as text: one block for each file, and the totals. */
export function checkReportText(files: FileReport[]): string {
  const blocks = files.map((report) => fileLines(report).map(printable).join('\n'));
  if (files.length !== 1) blocks.push(`${files.length} files: ${summary(files)}`);
  return blocks.join('\n\n');
}

function fileLines(report: FileReport): string[] {
  const { file, refusals, warnings, story, needs } = report;
  return [
    story === undefined ? file : `${file}: ${storyTitle(story)}`,
    ...refusals.map(({ message }) => `  refused  ${message}`),
    ...warnings.map((warning) => `  warning  ${warning}`),
    ...(story === undefined ? [] : storyLines(story, '  ')),
    ...needLines(needs),
    `  ${summary([report])}`,
  ];
}

/** Names come from the file: a line end or an escape sequence in them must not reach the terminal. */
function printable(line: string): string {
  return visibleText(line.replace(/\s/g, ' '));
}

function storyTitle({ name, schemaVersion, language, actions, links }: StoryReport): string {
  const size = `${counted(actions.length, 'action')}, ${counted(links, 'link')}`;
  return `"${name}" (schema_version ${schemaVersion}, ${language}, ${size})`;
}

function storyLines({ actions, subStories }: StoryReport, indent: string): string[] {
  const cells = actions.map((action) => [`[${action.position}]`, action.name, kindOf(action)]);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...cells.map((row) => (row[column] ?? '').length)));
  return [
    ...actions.flatMap((action, index) => {
      const row = (cells[index] ?? []).map((cell, column) => cell.padEnd(widths[column] ?? 0));
      return [`${indent}${row.join('  ')}  ${stateText(action)}`, ...findingLines(action, `${indent}    `)];
    }),
    ...subStories.flatMap((story) => [
      `${indent}sub-story ${storyTitle(story)}`,
      ...storyLines(story, `${indent}  `),
    ]),
  ];
}

/** `EventTransformationAgent explode` */
function kindOf({ type, mode }: ActionReport): string {
  return [type.replace(/^Agents::/, ''), ...(mode === undefined ? [] : [mode])].join(' ');
}

function stateText({ state, reason }: ActionReport): string {
  return STATES[state] + (reason === undefined ? '' : `: ${reason}`);
}

function findingLines({ findings }: ActionReport, indent: string): string[] {
  // The state of an action that is only stored says why.
  return findings
    .filter(({ kind }) => kind !== 'type')
    .map((finding) => `${indent}${finding.level.padEnd(7)}  ${placeOf(finding)}  ${finding.message}`);
}

/** `payload.fields[0].text 1:5` */
function placeOf({ option, at }: CheckFinding): string {
  return at === undefined ? option : `${option} ${at.line}:${at.column}`;
}

function needLines({ credentials, resources, stories }: StoryNeeds): string[] {
  const needs = [
    ['credential', credentials],
    ['resource', resources],
    ['story', stories],
  ] as const;
  return needs
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `  needs ${kind.padEnd(10)}  ${names.join(', ')}`);
}

function summary(files: FileReport[]): string {
  const counts = countsOf(files);
  const refused = files.filter(({ refusals }) => refusals.length > 0).length;
  return [
    ...(refused === 0 ? [] : [`${refused} would be rejected`]),
    `${counted(counts.actions, 'action')}: ${counts.runs} run, ${counts.actions - counts.runs} do not`,
    counted(counts.liquid + counts.formula, 'template'),
    counted(counts.errors, 'error'),
    counted(counts.warnings, 'warning'),
    counted(counts.hints, 'hint'),
  ].join(', ');
}
