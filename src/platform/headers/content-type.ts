const TOKEN = String.raw`[\w!#$%&'*+.^` + '`' + String.raw`|~-]+`;
const QUOTED = String.raw`"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*"`;
/** A parameter may be missing between two semicolons (RFC 9110 §5.6.6). */
const PARAMETER = String.raw`[ \t]*;[ \t]*(?:(${TOKEN})[ \t]*=[ \t]*(${TOKEN}|${QUOTED}))?`;
const TYPE = new RegExp(`^(${TOKEN}/${TOKEN})((?:${PARAMETER})*)[ \\t]*$`, 'u');
const PARAMETERS = new RegExp(PARAMETER, 'gu');
const MAX_CHARACTERS = 1_000;
/** Returns the media type in lower case: `Application/JSON; charset=utf-8` → `application/json`; empty if there is none. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Returns the label of the charset parameter in lower case, without quotes; undefined if there is none. */
export function charsetOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || !contentType.includes(';')) return undefined;
  return /;\s*charset\s*=\s*["']?\s*([^\s;"',]+)/i.exec(contentType)?.[1]?.toLowerCase();
}

/**
 * Returns a media type with its parameters as one line: `text/calendar; method=REQUEST; charset=utf-8` (RFC 2045 §5.1, RFC 9110
 * §8.3.1). Of equal parameters the first one counts. Undefined for a text that is none.
 */
export function mediaTypeWithParameters(text: string): string | undefined {
  const line = text.trim().replace(/\r?\n(?=[ \t])/g, '');
  if (line.length > MAX_CHARACTERS) return undefined;
  const [, type, rest = ''] = TYPE.exec(line) ?? [];
  if (type === undefined) return undefined;
  const parameters = new Map<string, string>();
  for (const [, name, value] of rest.matchAll(PARAMETERS)) {
    if (name === undefined || value === undefined || parameters.has(name.toLowerCase())) continue;
    parameters.set(name.toLowerCase(), `${name}=${value}`);
  }
  return [type, ...parameters.values()].join('; ');
}
