/** Keeps elements by key, for as long as what they are made of is the same. */
export function createKept<Element>() {
  const kept = new Map<string, { inputs: readonly unknown[]; element: Element }>();
  let last: Element[] = [];
  return {
    get: (key: string, inputs: readonly unknown[], make: () => Element): Element => {
      const known = kept.get(key);
      if (known !== undefined && inputs.every((input, at) => input === known.inputs[at]))
        return known.element;
      const element = make();
      kept.set(key, { inputs, element });
      return element;
    },
    /** Returns the list that was given before if it has the same elements. */
    asBefore: (list: Element[]): Element[] => {
      const isSame = list.length === last.length && list.every((element, at) => element === last[at]);
      if (!isSame) last = list;
      return last;
    },
    forget: (present: { has: (key: string) => boolean }) => {
      for (const key of kept.keys()) if (!present.has(key)) kept.delete(key);
    },
  };
}
