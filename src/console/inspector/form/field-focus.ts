/** The editor of a template replaces its plain field a moment after both are asked for. */
export const TEXT_FIELDS = 'textarea, .cm-content';
const FIELDS = `input, ${TEXT_FIELDS}, select, button`;

/**
 * Gives the focus to the first field in an element, or to the element if it is one; those of its head apart. It is looked
 * for once the change that makes it is drawn.
 */
export function focusFieldIn(find: () => Element | null | undefined, fields = FIELDS): void {
  requestAnimationFrame(() => {
    const root = find();
    const all = [...(root?.querySelectorAll<HTMLElement>(fields) ?? [])];
    if (root instanceof HTMLElement && root.matches(fields)) all.unshift(root);
    const field = all.find((each) => !each.matches(':disabled, header *'));
    field?.focus();
    if (field instanceof HTMLInputElement) field.select();
  });
}
