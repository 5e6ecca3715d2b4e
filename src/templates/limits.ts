/** Characters of one template text. */
export const MAX_TEMPLATE_CHARACTERS = 1_000_000;
/** Tags and outputs of one template, and characters of one: the parser's time grows with their square. */
export const MAX_TAGS = 5_000;
export const MAX_TAG_CHARACTERS = 50_000;
/** Wall-clock time of one render; looked at between nodes and inside long filters. */
export const MAX_RENDER_MS = 1_000;
/** Units liquidjs counts (elements of lists made, steps of ranges); texts are charged at an eighth. */
export const MAX_MEMORY_UNITS = 4_000_000;
/** Characters of a rendered text, and of any text or value inside a render. */
export const MAX_OUTPUT_CHARACTERS = 16 * 1024 * 1024;
/** Elements of a list that a filter takes. */
export const MAX_LIST_ELEMENTS = 100_000;
/** Parsed templates kept, and the characters of their texts together. */
export const CACHED_TEMPLATES = 5_000;
export const CACHED_TEMPLATE_CHARACTERS = 20_000_000;
