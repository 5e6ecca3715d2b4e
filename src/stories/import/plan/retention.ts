/** How long events may be kept, in seconds (spec §3.6). */
export const ALLOWED_RETENTION = [
  3600, 21600, 86400, 259200, 604800, 1209600, 2592000, 5184000, 7776000, 15552000, 31536000,
];

export const DEFAULT_KEEP_EVENTS_FOR = 604_800;

/** Returns the next longer allowed period in seconds, at most a year. */
export function allowedRetention(seconds: number): number {
  return ALLOWED_RETENTION.find((allowed) => allowed >= seconds) ?? 31_536_000;
}
