/** Returns the method of the ready call: POST if it is accepted, else the first accepted one, in upper case. */
export function methodOf(verbs: readonly string[]): string {
  const upper = verbs.map((verb) => verb.toUpperCase());
  return upper.includes('POST') ? 'POST' : (upper[0] ?? 'POST');
}

/** Whether a call with this method has a body. */
export function hasBody(method: string): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(method);
}
