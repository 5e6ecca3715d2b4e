/** Returns how paths of differences name a test: `["High opens a ticket"]`, or a word. */
export function testOf(path: string): string {
  return /^\["(?:[^"\\]|\\.)*"\]|^[\w-]+/.exec(path)?.[0] ?? path;
}

/** Returns the name of the test that such a path begins with. */
export function testName(path: string): string {
  const part = testOf(path);
  try {
    return part.startsWith('[') ? String((JSON.parse(part) as unknown[])[0]) : part;
  } catch {
    return part;
  }
}
