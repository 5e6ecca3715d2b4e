/** Headers of a response, names in lower case. Only `set-cookie` can be a list: cookies contain commas (RFC 9110 §5.3). */
export type ResponseHeaders = Record<string, string | string[]>;

/** Returns the text of one header; undefined if it is absent. */
export function headerOf(headers: ResponseHeaders, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return Array.isArray(value) ? value.join(', ') : value;
}
