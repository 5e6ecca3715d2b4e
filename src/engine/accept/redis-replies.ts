/** Returns the code that an error reply of Redis begins with; undefined for other errors, such as of connections. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Object) || (error as Error).name !== 'ReplyError') return undefined;
  return /^[A-Z]+/.exec((error as Error).message)?.[0];
}

/** States that pass by themselves or that the operator of Redis must end; restarting this process would not help. */
const STATES = new Set([
  'LOADING',
  'READONLY',
  'OOM',
  'MISCONF',
  'MASTERDOWN',
  'NOREPLICAS',
  'CLUSTERDOWN',
  'TRYAGAIN',
  'BUSY',
]);

/** Returns true if the user may not use the command, or Redis does not know it. */
export function isDenied(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'NOPERM' || code === 'ERR';
}

/** Returns true if Redis replied that it cannot serve now. */
export function isRedisState(error: unknown): boolean {
  return STATES.has(codeOf(error) ?? '');
}

/** Returns true if the error is a reply of Redis. */
export function isReply(error: unknown): boolean {
  return codeOf(error) !== undefined;
}
