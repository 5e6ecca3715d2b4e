/*
 * What workers say to the web processes that wait for runs: the run's guid, and after it, where it is short, its answer.
 */

/** The channel on which web processes hear of runs they wait for. */
export function responseChannel(prefix: string): string {
  return `${prefix}:run-responses`;
}

/** The answer of a run that somebody waits for. */
export interface RunAnswer {
  guid: string;
  /** JSON text of the event that answers it; missing: who waits has to look it up. */
  payload?: string | undefined;
}

const GUID_LENGTH = 36;
/** Every web process gets every hint: longer answers are looked up by the one that waits. */
const MAX_PAYLOAD = 4 * 1024;

export function hintOf({ guid, payload = '' }: RunAnswer): string {
  return payload.length > MAX_PAYLOAD ? guid : guid + payload;
}

/** The opposite of `hintOf`. */
export function readHint(hint: string): RunAnswer {
  const guid = hint.slice(0, GUID_LENGTH);
  return hint.length > GUID_LENGTH ? { guid, payload: hint.slice(GUID_LENGTH) } : { guid };
}
