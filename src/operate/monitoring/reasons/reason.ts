/** `error`: something does not work, or a promise does not hold. `warning`: it soon may not. `note`: good to know. */
export type Severity = 'error' | 'warning' | 'note';

/** A kind of fault: all that is known about it before somebody looks. */
export interface ReasonKind {
  /** Its group and name: `redis.eviction`. */
  id: string;
  severity: Severity;
  /** Why it matters. */
  why: string;
  /** How to fix it. */
  remedy: string;
}

/** A fault that was found: the doctor, the status and the console show the same ones. */
export interface Reason extends ReasonKind {
  /** The facts, with numbers; never a secret. */
  found: string;
  /** Since when it is so; absent: not known. */
  since?: Date;
}

/** Returns the reason in a list if `isSo`; otherwise an empty list. */
export function reasonIf(
  isSo: boolean,
  kind: ReasonKind,
  found: string,
  since: Date | null = null,
): Reason[] {
  return isSo ? [{ ...kind, found, ...(since !== null && { since }) }] : [];
}

/** Returns the earliest of these times; null without any. */
export function earliestOf(times: readonly Date[]): Date | null {
  return times.length === 0 ? null : new Date(Math.min(...times.map((time) => time.getTime())));
}
