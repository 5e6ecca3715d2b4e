import { LiquidError } from 'liquidjs';
import { messageOf } from '../../platform/errors.js';
import { MAX_FAULT_CHARACTERS } from '../limits.js';
import { positionAt } from '../values/position.js';
import { shortened } from '../../platform/text/shortened.js';
import { TemplateError } from '../../platform/text/template-error.js';
import type { NormalisedTemplate } from './ruby/normalise.js';

/** Converts an error of liquidjs to words for a story's author, with the position in the author's text. */
export function toTemplateError(error: unknown, source: string, template: NormalisedTemplate): TemplateError {
  if (error instanceof TemplateError) return error;
  if (!LiquidError.is(error)) return new TemplateError(causeText(error), { cause: error });
  const { token, originalError } = error as LiquidError & {
    token?: { begin: number };
    originalError?: unknown;
  };
  const place = positionAt(source, template.originalOffset(token?.begin ?? 0));
  const problem = { message: shortened(messageText(originalError ?? error), MAX_FAULT_CHARACTERS), ...place };
  const text = `${problem.message} (line ${place.line}, column ${place.column})`;
  // liquidjs's own error contains the whole template, which must not be logged.
  const cause =
    originalError instanceof TemplateError || LiquidError.is(originalError) ? undefined : originalError;
  return new TemplateError(text, { cause, problem });
}

function messageText(error: unknown): string {
  if (LiquidError.is(error)) {
    const inner = (error as { originalError?: unknown }).originalError;
    if (inner !== undefined) return messageText(inner);
  }
  return causeText(error);
}

function causeText(error: unknown): string {
  if (error instanceof RangeError) return 'The template is nested too deeply or its result is too large';
  if (error instanceof TypeError) return 'A value is used in a way that is not supported';
  const message = messageOf(error).replace(/(?:, file:.*)?, line:\d+, col:\d+$/s, '');
  const limit = /^(parse length|memory alloc) limit exceeded$/.exec(message);
  return limit === null ? message : (LIMITS[limit[1] ?? ''] ?? message);
}

const LIMITS: Record<string, string> = {
  'parse length': 'The template is too long',
  'memory alloc': 'The template needs too much memory',
};
