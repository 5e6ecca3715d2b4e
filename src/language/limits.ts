/** Characters of one template text. */
export const MAX_TEMPLATE_CHARACTERS = 1_000_000;
/** Tags and outputs of one template, characters of one, and of all of them: reading takes microseconds for each. */
export const MAX_TAGS = 5_000;
export const MAX_TAG_CHARACTERS = 50_000;
export const MAX_ALL_TAGS_CHARACTERS = 300_000;
/** Of one render (TimeLimit); looked at between nodes and inside long filters. */
export const MAX_RENDER_MS = 1_000;
/** Units liquidjs counts (elements of lists made, steps of ranges); texts are charged at an eighth. */
export const MAX_MEMORY_UNITS = 4_000_000;
/** Characters of a rendered text, and of any text or value inside a render. */
export const MAX_OUTPUT_CHARACTERS = 16 * 1024 * 1024;
/** Elements of a list that a filter takes. */
export const MAX_LIST_ELEMENTS = 100_000;
/** Commas and opening brackets of a JSON text: what it is the JSON of takes far more memory than the text. */
export const MAX_JSON_VALUES = 2_000_000;
/**
 * Lists and objects inside one another: writing a value as JSON goes down level by level, and the stack ends
 * somewhere beyond 2,000. A webhook's body may have 1,000 levels, to which stories add theirs.
 */
export const MAX_VALUE_DEPTH = 1_200;
/** Characters of a fault's message, and of the message with its place: what they quote may be very long. */
export const MAX_FAULT_CHARACTERS = 1_500;
export const MAX_MESSAGE_CHARACTERS = 2_000;
/** Parsed templates kept by a language, and about how many bytes they take together. */
export const CACHED_TEMPLATES = 5_000;
export const CACHED_TEMPLATE_BYTES = 100_000_000;
