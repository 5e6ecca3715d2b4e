/** Most characters of one template text. */
export const MAX_TEMPLATE_CHARACTERS = 1_000_000;
/** Most tags and outputs of one template, characters of one tag, and of all of them: parsing costs microseconds each. */
export const MAX_TAGS = 5_000;
export const MAX_TAG_CHARACTERS = 50_000;
export const MAX_ALL_TAGS_CHARACTERS = 300_000;
/** Limit of one render (TimeLimit); checked between nodes and inside long filters. */
export const MAX_RENDER_MS = 1_000;
/** Memory units as liquidjs counts them (list elements created, steps of ranges); texts are charged an eighth. */
export const MAX_LIQUID_MEMORY_UNITS = 4_000_000;
/** Most characters of a rendered text, and of any text or value inside a render. */
export const MAX_OUTPUT_CHARACTERS = 16 * 1024 * 1024;
/** Most elements of a list that a filter accepts. */
export const MAX_LIST_ELEMENTS = 100_000;
/** Most commas and opening brackets of a JSON text: the parsed value takes far more memory than the text. */
export const MAX_JSON_VALUES = 2_000_000;
/**
 * Most nested lists and objects: writing a value as JSON is recursive, and the stack overflows somewhere beyond 2,000
 * levels. A webhook's body may have 1,000 levels, to which stories add theirs.
 */
export const MAX_VALUE_DEPTH = 1_200;
/** Most characters of a fault's message, and of the message with its position: their quotes may be very long. */
export const MAX_FAULT_CHARACTERS = 1_500;
/** Parsed templates that a language caches, and about how many bytes they take together. */
export const CACHED_TEMPLATES = 5_000;
export const CACHED_TEMPLATE_BYTES = 100_000_000;
