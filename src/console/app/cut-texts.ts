/** Texts that end where their column does. */
const CUT = '.cut, .one-line, .table .short';

/** Shows the whole of a cut text as its tooltip, from now on. A title of its own stays. */
export function watchCutTexts(): void {
  document.addEventListener('mouseover', ({ target }) => {
    const part = target instanceof Element ? target.closest<HTMLElement>(CUT) : null;
    if (part === null) return;
    const { cutTitle } = part.dataset;
    // Another one gave it, on the text or around it.
    if (part.closest('[title]') !== null && part.title !== cutTitle) return;
    if (isCut(part)) part.dataset['cutTitle'] = part.title = part.innerText;
    else if (cutTitle !== undefined) part.removeAttribute('title');
  });
}

const isCut = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }: HTMLElement) =>
  scrollWidth > clientWidth || scrollHeight > clientHeight + 1;
