const START =
  ':A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F' +
  '\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';

/** Source of a pattern (flag `u`) for the characters of an XML name behind the first one (XML 1.0, NameChar). */
export const NAME_CHARACTER = `[${START}\\-.0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040]`;
/** Source of a pattern (flag `u`) for an XML name (XML 1.0, Name). */
export const NAME = `[${START}]${NAME_CHARACTER}*`;

const WHOLE_NAME = new RegExp(`^${NAME}$`, 'u');

export function isXmlName(text: string): boolean {
  return WHOLE_NAME.test(text);
}

/** The entities that every document has. */
export const PREDEFINED: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Whether a document of this version of XML may contain the character, at least as a reference (Char). */
export function isCharacter(code: number, xmlVersion: string): boolean {
  if (code < 0x20) {
    return xmlVersion === '1.1' ? code > 0 : code === 0x9 || code === 0xa || code === 0xd;
  }
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}
