const LOCAL_NAME = /^[^.]*$|(?:^|\.)(?:localhost|local|internal|home\.arpa|localdomain|lan)$/;

/** Whether a name means something only in the network that it is used in: no dot, or an ending of such networks. */
export function isLocalName(name: string): boolean {
  return LOCAL_NAME.test(name);
}
