import { TemplateError, type TemplateLanguage } from '../template.js';

const MESSAGE = 'formulas (<<…>>, <% … %> and a leading =) cannot run on this server yet';

/** Whether a text holds a pill, a block, or is a formula as a whole. */
const isTemplate = (text: string) => /<<[\s\S]*?>>|<%[\s\S]*?%>|^\s*=/.test(text);

/**
 * The language of stories with formulas, as far as it goes: plain text is plain text, and a formula is
 * recognised and refused by name, so that such a story fails clearly instead of sending `<<…>>` to somebody.
 */
export function createFormulaLanguage(): TemplateLanguage {
  return {
    name: 'formula',
    isTemplate,
    check: (text) => (isTemplate(text) ? [{ message: MESSAGE, line: 1, column: 1 }] : []),
    render(text) {
      if (isTemplate(text)) throw new TemplateError(MESSAGE);
      return text;
    },
  };
}
