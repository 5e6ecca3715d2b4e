/** The time as answers show it: `YYYY-MM-DDTHH:MM:SSZ`, UTC (decisions §1). */
export function timestamp(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
