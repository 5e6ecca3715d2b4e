const SAFE = new Set(['http:', 'https:', 'mailto:']);

/** Returns the full address that a text may lead to; undefined for any other, such as one that would run a script. */
export function safeAddress(text: string): string | undefined {
  try {
    const { protocol, href } = new URL(text.trim());
    return SAFE.has(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}
