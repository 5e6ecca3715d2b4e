/** Returns a time as a field of the browser writes it, in the viewer's zone: `2026-11-26T10:30`. Empty for none. */
export function toLocalField(iso: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return '';
  const offset = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offset).toISOString().slice(0, 16);
}

/** Returns the ISO time of such a field; empty for an empty one. */
export function fromLocalField(text: string): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}

/** Returns a time as records have it, `2026-11-26 10:30:00` in UTC, as ISO 8601; undefined for what is no time. */
export function isoOfRecord(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.test(value)) return undefined;
  return `${value.replace(' ', 'T')}Z`;
}
