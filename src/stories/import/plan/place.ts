/** Returns the path of a part of the value at `place`: `data.agents[0]`; an empty place is the whole input. */
export function partPath(place: string, part: string): string {
  return place === '' ? part : `${place}.${part}`;
}
