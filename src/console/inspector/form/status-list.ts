/** Whether a text is a status, or a range of them that ends no earlier than it begins. */
export function isStatusRange(text: string): boolean {
  const [, low, high = low] = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(text) ?? [];
  return low !== undefined && Number(low) <= Number(high);
}

/** Whether a value is a list of statuses and ranges, none of which is a template. */
export function isStatusList(value: unknown): value is readonly (string | number)[] {
  return (
    Array.isArray(value) &&
    value.every(
      (each) => (typeof each === 'string' || typeof each === 'number') && isStatusRange(String(each)),
    )
  );
}
