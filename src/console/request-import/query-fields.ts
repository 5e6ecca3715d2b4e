/** Fields of a query or a form: each name with its texts; null is a name without `=`. */
export type Fields = Map<string, (string | null)[]>;

/** Reads `a=1&b`. Returns undefined if the text is no UTF-8 behind its `%`. */
export function fieldsOf(query: string): Fields | undefined {
  const fields: Fields = new Map();
  try {
    for (const pair of query.split('&').filter((part) => part !== '')) {
      const at = pair.indexOf('=');
      const name = decoded(at === -1 ? pair : pair.slice(0, at));
      const text = at === -1 ? null : decoded(pair.slice(at + 1));
      fields.set(name, [...(fields.get(name) ?? []), text]);
    }
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
  return fields;
}

/** A `%` that begins no code stands for itself. */
function decoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' ').replace(/%(?![0-9a-f]{2})/gi, '%25'));
}

/** Whether a name is there more than once: the option `params_encoder` must be `flat` then. */
export function hasLists(fields: Fields): boolean {
  return [...fields.values()].some((texts) => texts.length > 1);
}

/** Returns the fields as an object, each text as `write` gives it. */
export function objectOf(
  fields: Fields,
  write: (text: string, name: string) => string,
): Record<string, string | null | (string | null)[]> {
  return Object.fromEntries(
    [...fields].map(([name, texts]) => {
      const written = texts.map((text) => (text === null ? null : write(text, name)));
      return [name, written.length === 1 ? (written[0] ?? null) : written];
    }),
  );
}
