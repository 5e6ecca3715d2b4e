/** Returns the token of a one-time link, and takes it out of the address and the history. */
export function takeLink(): string | undefined {
  const address = new URL(location.href);
  const token = address.searchParams.get('link');
  if (token === null) return undefined;
  address.searchParams.delete('link');
  history.replaceState(null, '', address);
  return token;
}
