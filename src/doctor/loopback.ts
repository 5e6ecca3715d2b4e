/** Returns true if the host of an address is this machine itself: `localhost`, 127.0.0.0/8 or ::1. */
export function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
