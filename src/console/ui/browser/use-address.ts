import { useLocation, useSearch } from 'wouter';

/** Values for the query of an address; an empty one takes its name out. */
export type AddressChange = Record<string, string | number | undefined>;

/**
 * Returns the query of the address, and a function that changes parts of it. A change leads to the first page unless it
 * names one.
 */
export function useAddress(): [URLSearchParams, (change: AddressChange) => void] {
  const [path, go] = useLocation();
  const given = new URLSearchParams(useSearch());
  const change = (parts: AddressChange) => {
    const next = new URLSearchParams(given);
    next.delete('page');
    for (const [name, value] of Object.entries(parts)) {
      if (value === undefined || value === '') next.delete(name);
      else next.set(name, String(value));
    }
    const query = next.toString();
    go(query === '' ? path : `${path}?${query}`, { replace: true });
  };
  return [given, change];
}

/** Returns a whole number that a query names; what is none is as absent. */
export function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? '';
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
