/** The keys that sign a request to AWS. */
export interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: string;
  /** For the keys of an assumed role. */
  sessionToken?: string;
}

/** Returns the headers of a signed request; the client sets host and length itself. */
export function sentHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  return Object.fromEntries(lower.filter(([name]) => name !== 'host' && name !== 'content-length'));
}
