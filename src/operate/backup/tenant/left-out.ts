/** What an import left out of a copy. */
export interface LeftOut {
  /** Users, by their new ids, whose password has no hash that this server computes. */
  passwords: number[];
  /** Whether the mail server's address is none that a tenant may give. */
  mailServer: boolean;
}

export const nothingLeftOut = (): LeftOut => ({ passwords: [], mailServer: false });
