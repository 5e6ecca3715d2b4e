import { shortened } from './shortened.js';

/** A message may quote a template or an event. */
const MAX_MESSAGE_CHARACTERS = 2_000;

/** A fault in a template with its position, in words that a story's author understands. */
export interface TemplateProblem {
  message: string;
  /** Position in the text, from 1. */
  line: number;
  column: number;
  /** The text renders anyway: an unknown filter leaves its value unchanged (spec §8.2). */
  harmless?: true;
  /** The text parses, but a filter has a wrong number of arguments, or a constant pattern cannot be used. */
  kind?: 'filter' | 'pattern';
}

/** A template cannot be parsed or evaluated, or exceeds a limit. */
export class TemplateError extends Error {
  readonly problem: TemplateProblem | undefined;
  /** The option that it stands in: `['payload', 'fields', 0]`; undefined for a text alone. */
  readonly path: readonly (string | number)[] | undefined;

  constructor(
    message: string,
    options: { cause?: unknown; problem?: TemplateProblem; path?: readonly (string | number)[] } = {},
  ) {
    super(shortened(message, MAX_MESSAGE_CHARACTERS), { cause: options.cause });
    this.name = 'TemplateError';
    this.problem = options.problem;
    this.path = options.path;
  }
}
