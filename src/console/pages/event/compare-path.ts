/** Returns the path of the page that compares two events, the older one first: ids ascend. */
export const comparePath = (one: number, other: number): string =>
  `/events/${Math.min(one, other)}/compare/${Math.max(one, other)}`;
