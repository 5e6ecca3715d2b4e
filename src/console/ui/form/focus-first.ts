/** Puts the focus on the first field of a page that asks for one thing: a person types at once. A `ref`. */
export const focusFirst = (form: HTMLElement | null) => form?.querySelector('input')?.focus();
