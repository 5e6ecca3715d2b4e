/** Returns the media type in lower case: `Application/JSON; charset=utf-8` → `application/json`; empty if there is none. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Returns the label of the charset parameter in lower case, without quotes; undefined if there is none. */
export function charsetOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || !contentType.includes(';')) return undefined;
  return /;\s*charset\s*=\s*["']?\s*([^\s;"',]+)/i.exec(contentType)?.[1]?.toLowerCase();
}
