/** Keeps elements by key, for as long as what they are made of is the same. */
export function createKept<Element>() {
  const kept = new Map<string, { inputs: readonly unknown[]; element: Element }>();
  return {
    get: (key: string, inputs: readonly unknown[], make: () => Element): Element => {
      const known = kept.get(key);
      if (known !== undefined && inputs.every((input, at) => input === known.inputs[at]))
        return known.element;
      const element = make();
      kept.set(key, { inputs, element });
      return element;
    },
    forget: (present: { has: (key: string) => boolean }) => {
      for (const key of kept.keys()) if (!present.has(key)) kept.delete(key);
    },
  };
}
