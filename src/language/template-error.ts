import { MAX_MESSAGE_CHARACTERS } from './limits.js';
import { shortened } from './values/shortened.js';

/** A fault in a template, where it is, in words a story author understands. */
export interface TemplateProblem {
  message: string;
  /** Of the text, from 1. */
  line: number;
  column: number;
  /** The text renders all the same: a filter that is not known leaves its value as it is (spec §8.2). */
  harmless?: true;
}

/** A template does not parse, cannot be evaluated, or went over a limit. */
export class TemplateError extends Error {
  readonly problem: TemplateProblem | undefined;

  constructor(message: string, options: { cause?: unknown; problem?: TemplateProblem } = {}) {
    super(shortened(message, MAX_MESSAGE_CHARACTERS), { cause: options.cause });
    this.name = 'TemplateError';
    this.problem = options.problem;
  }
}
