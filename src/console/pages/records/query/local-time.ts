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

/** Returns a time to the second in the viewer's zone, with its offset: `2026-11-26T10:30:00+01:00`. */
export function isoWithOffset(iso: string): string {
  const time = new Date(iso);
  const minutes = -time.getTimezoneOffset();
  const local = new Date(time.getTime() + minutes * 60_000).toISOString().slice(0, 19);
  return `${local}${minutes < 0 ? '-' : '+'}${part(minutes / 60)}:${part(minutes % 60)}`;
}

const part = (value: number) => String(Math.trunc(Math.abs(value))).padStart(2, '0');

/** Returns a time as records have it, `2026-11-26 10:30:00` in UTC, as ISO 8601; undefined for what is no time. */
export function isoOfRecord(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.test(value)) return undefined;
  return `${value.replace(' ', 'T')}Z`;
}
