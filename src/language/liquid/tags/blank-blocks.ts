import { AssignTag, CaptureTag, InlineCommentTag, LiquidTag, type Template, TokenKind } from 'liquidjs';

/** A tag that knows whether it never writes anything. */
export interface PerhapsBlank {
  readonly isBlank: boolean;
}

/** Tags that write nothing; `increment`, `cycle`, `break` and outputs count as writing, as in Ruby's Liquid. */
const SILENT_TAGS = [AssignTag, CaptureTag, InlineCommentTag];

/** Returns true if the templates hold only white space and tags that write nothing. */
export function isBlank(templates: readonly Template[]): boolean {
  return templates.every(isBlankTemplate);
}

function isBlankTemplate(template: Template): boolean {
  if (isText(template)) return /^[ \t\r\n\f\v]*$/.test(template.token.getText());
  if (template instanceof LiquidTag) return isBlank(template.templates);
  if (SILENT_TAGS.some((silent) => template instanceof silent)) return true;
  return 'isBlank' in template && template.isBlank === true;
}

function isText({ token }: Template): boolean {
  return token.kind === TokenKind.HTML;
}

/** Removes the texts from the branches of a blank block: Ruby's Liquid drops white space that stands alone. */
export function dropBlankTexts(branches: Iterable<{ templates: Template[] }>): void {
  for (const branch of branches) branch.templates = branch.templates.filter((template) => !isText(template));
}
