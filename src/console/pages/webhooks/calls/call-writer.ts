/** How a caller shows that it knows the secret (the specification, Proof). */
export type Proof = 'address' | 'basic' | 'signature';

/** The parts of a call; all three are quoted for their language. */
export interface CallParts {
  method: string;
  /** The address without the secret. */
  url: string;
  secret: string;
}

/** Writes a call in one language. */
export type CallWriter = Record<Proof, (parts: CallParts) => string>;
