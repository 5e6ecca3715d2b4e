/** Errors that Redis answers with begin with a word for what they are; those of connections do not come from it. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Object) || (error as Error).name !== 'ReplyError') return undefined;
  return /^[A-Z]+/.exec((error as Error).message)?.[0];
}

/** What passes by itself, or is for whoever runs Redis to end: a new process would fare no better. */
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

/** Whether the command is one that this user may not give, or that there is not. */
export function isDenied(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'NOPERM' || code === 'ERR';
}

/** Whether Redis answered that it cannot serve now. */
export function isRedisState(error: unknown): boolean {
  return STATES.has(codeOf(error) ?? '');
}

/** Whether Redis answered at all. */
export function isReply(error: unknown): boolean {
  return codeOf(error) !== undefined;
}
