/** Returns true if the host of an address is this machine itself: `localhost`, 127.0.0.0/8 or ::1. */
export function isLoopback(address: string): boolean {
  return isLoopbackHost(new URL(address).hostname);
}

/** Returns true for a host that is this machine itself. */
export function isLoopbackHost(host: string): boolean {
  return ['localhost', '[::1]', '::1'].includes(host) || /^127(?:\.\d{1,3}){3}$/.test(host);
}
