/** A fault of the files of a story. */
export interface FileProblem {
  path: string;
  /** Counted from 1; absent: it is about the whole file, or about several. */
  line?: number | undefined;
  message: string;
}

/** The files are not those of a story, or the story has no form as files. */
export class StoryFilesError extends Error {
  readonly problems: FileProblem[];

  /** `holdsNone`: the file is sound, and something else than a story. */
  constructor(
    problems: FileProblem[],
    readonly holdsNone = false,
  ) {
    super(problems.map(problemText).join('; '));
    this.name = 'StoryFilesError';
    this.problems = problems;
  }
}

/** Returns `actions/enrich.yaml:12: the key "a" is there twice`. */
export function problemText({ path, line, message }: FileProblem): string {
  return `${path}${line === undefined ? '' : `:${line}`}: ${message}`;
}
