const LOCAL_NAME = /^[^.]*$|(?:^|\.)(?:localhost|local|internal|home\.arpa|localdomain|lan)$/;

/** Returns true if a name is valid only in a local network: it has no dot, or a suffix of such networks. */
export function isLocalName(name: string): boolean {
  return LOCAL_NAME.test(name);
}
