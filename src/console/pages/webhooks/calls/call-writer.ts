/** How a caller shows that it knows the secret (the specification, Proof). */
export type Proof = 'address' | 'basic' | 'signature';

/** The parts of a call; all three are quoted for their language. */
export interface CallParts {
  method: string;
  /** The address without the secret. */
  url: string;
  secret: string;
  /** A JSON text; absent: an example. */
  body?: string | undefined;
}

/** Writes a call in one language. */
export type CallWriter = Record<Proof, (parts: CallParts) => string>;

/** Returns the method of the ready call: POST if it is accepted, else the first accepted one, in upper case. */
export function methodOf(verbs: readonly string[]): string {
  const upper = verbs.map((verb) => verb.toUpperCase());
  return upper.includes('POST') ? 'POST' : (upper[0] ?? 'POST');
}

/** Whether a call with this method has a body. */
export function hasBody(method: string): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(method);
}
