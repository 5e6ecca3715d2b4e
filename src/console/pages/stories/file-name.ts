/** Returns the name of a file for a story or the like: letters, digits and dashes of its name. */
export function fileNameOf(name: string, { otherwise = 'story', ending = 'json' } = {}): string {
  const plain = name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 80)
    .replace(/^-+|-+$/g, '');
  return `${plain || otherwise}.${ending}`;
}
