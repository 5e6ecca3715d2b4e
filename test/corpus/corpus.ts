import { type FileReport, reportedStories } from '../../src/stories/check/check-report.js';
import { CHECKS_HERE } from '../../src/stories/check/checks-here.js';
import { createStoryChecker } from '../../src/stories/check/story-checker.js';
import { AUTHOR_ERRORS, type AuthorError } from '../support/author-errors.js';

/** Something in a file that keeps it, or a part of it, from working. */
export interface CorpusFault {
  file: string;
  /** undefined: the import would refuse the file. */
  action: string | undefined;
  option: string | undefined;
  message: string;
}

/** Checks exports, given as `[file, text]`, as `fabula story check` does. */
export function checkCorpus(files: [string, string][]): FileReport[] {
  const checker = createStoryChecker(CHECKS_HERE);
  return files.map(([file, text]) => checker.check(file, text));
}

/** Returns the import's refusals, and every text that does not parse or names an unknown filter. */
export function faultsOf(report: FileReport): CorpusFault[] {
  const { file, refusals } = report;
  return [
    ...refusals.map(({ message }) => ({ file, action: undefined, option: undefined, message })),
    ...reportedStories(report)
      .flatMap(({ actions }) => actions)
      .flatMap(({ name, findings }) =>
        findings
          // Types that are only stored are counted by themselves.
          .filter(({ level, kind }) => level === 'error' || (level === 'warning' && kind !== 'type'))
          .map(({ option, message }) => ({ file, action: name, option, message })),
      ),
  ];
}

/** The faults that are no known author error, and the author errors that are no fault any more. */
export function judge(reports: FileReport[], known: readonly AuthorError[] = AUTHOR_ERRORS) {
  const faults = reports.flatMap(faultsOf);
  const files = new Set(reports.map(({ file }) => file));
  return {
    unexpected: faults.filter((fault) => !known.some((error) => isOf(fault, error))),
    // An error of a file that was not looked at says nothing.
    outdated: known.filter((error) => files.has(error.file) && !faults.some((fault) => isOf(fault, error))),
  };
}

function isOf(fault: CorpusFault, error: AuthorError): boolean {
  return error.file === fault.file && error.action === fault.action && error.option === fault.option;
}

/** How many actions can only be stored, by type and mode: `EventTransformationAgent automatic`. */
export function importOnlyKinds(reports: FileReport[]): Map<string, number> {
  const kinds = new Map<string, number>();
  for (const { type, mode, state } of reports.flatMap(reportedStories).flatMap(({ actions }) => actions)) {
    if (state !== 'import_only') continue;
    const kind = [type.replace(/^Agents::/, ''), ...(mode === undefined ? [] : [mode])].join(' ');
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return kinds;
}
