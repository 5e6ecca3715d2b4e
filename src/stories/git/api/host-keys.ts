const KEY = /(?:^|\s)((?:ssh|ecdsa|sk)-[a-z0-9@.-]+)\s+([A-Za-z0-9+/]+=*)(?:\s|$)/;

/**
 * Returns the keys in lines such as those of `ssh-keyscan` or of a file `known_hosts`, each `TYPE BASE64`. Which host a line
 * names does not count: all are for the host of the repository.
 */
export function keysOfHost(text: string): string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => !line.trim().startsWith('#'))
    .flatMap((line) => {
      const [, type, key] = KEY.exec(line) ?? [];
      return type === undefined || key === undefined ? [] : [`${type} ${key}`];
    });
}
