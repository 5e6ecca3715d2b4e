/** A piece of a text: a template, or what stands between templates. */
export interface TemplatePart {
  /** The index in the text at which it begins. */
  at: number;
  part: string;
  isTemplate: boolean;
}

const TEMPLATE = /<<[\s\S]*?>>|\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g;

/** Splits a text at its templates: `{{…}}` and `{%…%}` of Liquid, `<<…>>` of formulas. The pieces together are the text. */
export function templateParts(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const { 0: part, index: at } of text.matchAll(TEMPLATE)) {
    if (at > end) parts.push({ at: end, part: text.slice(end, at), isTemplate: false });
    parts.push({ at, part, isTemplate: true });
    end = at + part.length;
  }
  if (end < text.length) parts.push({ at: end, part: text.slice(end), isTemplate: false });
  return parts;
}
