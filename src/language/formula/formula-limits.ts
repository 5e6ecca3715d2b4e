/** Most characters of a text with pills, or of a whole formula. */
export const MAX_TEXT_CHARACTERS = 1_000_000;
/** Most pills and blocks of one text, characters of one, and of all of them together. */
export const MAX_TEXT_PARTS = 5_000;
export const MAX_PART_CHARACTERS = 20_000;
export const MAX_ALL_PARTS_CHARACTERS = 300_000;
/** Most tokens (names, numbers, texts and marks) of one formula: reading one takes some microseconds. */
export const MAX_TOKENS = 300_000;
/** Most nested parentheses, function arguments, lists, lambdas and blocks, as written. */
export const MAX_NESTING = 100;
/** Most nested expressions during evaluation; a lambda counts each time it runs. */
export const MAX_EXPRESSION_DEPTH = 150;
/** Most steps of one render (expressions, list elements visited, loop rounds), and its time (TimeLimit). */
export const MAX_STEPS = 2_000_000;
export const MAX_FORMULA_MS = 1_000;
/** Most memory units of one render: four list elements, eight characters of text, or one object. */
export const MAX_FORMULA_MEMORY_UNITS = 4_000_000;
/** Measured bytes of the parsed form per character of a formula. */
export const PARSED_CHARACTER_BYTES = 60;
