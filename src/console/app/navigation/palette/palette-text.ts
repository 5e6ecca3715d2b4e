/** What a text of the palette asks for. */
export interface PaletteQuery {
  /** What is done with what is found; undefined: it is opened. */
  verb: 'start' | 'disable' | 'enable' | 'retry' | undefined;
  /** What is looked for. */
  search: string;
}

const VERB = /^(start|disable|enable|retry)(?:\s+|$)/i;
const GUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const ID = /^#?([1-9]\d{0,14})$/;

/** Returns what a text asks for: `disable alert` disables what is named so. */
export function askedIn(text: string): PaletteQuery {
  const given = text.trim();
  const [whole = '', verb] = VERB.exec(given) ?? [];
  return {
    verb: verb?.toLowerCase() as PaletteQuery['verb'],
    search: webhookPathIn(given.slice(whole.length).trim()),
  };
}

/** Returns the guid of a run that a text is. */
export const guidIn = (text: string): string | undefined =>
  GUID.test(text) ? text.toLowerCase() : undefined;

/** Returns the id that a text is: `4711` or `#4711`. */
export function idIn(text: string): number | undefined {
  const [, id] = ID.exec(text) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** Returns the path of a webhook's URL, without its secret; any other text as it is. */
function webhookPathIn(text: string): string {
  const [, path] = /^(?:https?:\/\/[^/]+)?\/webhook\/([^/?#]+)/.exec(text) ?? [];
  if (path === undefined) return text;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
