/** Formats a time for responses: `YYYY-MM-DDTHH:MM:SSZ`, UTC (spec §1.6). */
export function timestamp(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
