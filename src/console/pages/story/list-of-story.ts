/** A list on the page of one story: which story, and the address of the list there. */
export interface ListOfStory {
  storyId: number;
  /** Path and query, to which filters are added. */
  base: string;
}

/** Returns an address with a further query. */
export function withQuery(base: string, query: string): string {
  if (query === '') return base;
  return `${base}${base.includes('?') ? '&' : '?'}${query}`;
}
