/** If the browser refuses to store a value, it is kept for as long as the page is open. */
const meanwhile = new Map<string, string>();

/** Returns what this browser remembers under a key. */
export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? meanwhile.get(key) ?? null;
  } catch {
    return meanwhile.get(key) ?? null;
  }
}

/** Remembers a text in this browser. It is for choices of how things look, never for secrets. */
export function remember(key: string, text: string) {
  try {
    localStorage.setItem(key, text);
  } catch {
    meanwhile.set(key, text);
  }
}
