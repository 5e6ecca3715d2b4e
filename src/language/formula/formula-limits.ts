/** Characters of a text with pills, or of a whole formula. */
export const MAX_TEXT_CHARACTERS = 1_000_000;
/** Pills and blocks of one text, characters of one, and of all of them together. */
export const MAX_PARTS = 5_000;
export const MAX_PART_CHARACTERS = 20_000;
export const MAX_ALL_PARTS_CHARACTERS = 300_000;
/** Names, numbers, texts and marks of one formula: reading one takes some microseconds. */
export const MAX_TOKENS = 300_000;
/** Parentheses, calls, lists, lambdas and blocks inside one another, as written. */
export const MAX_NESTING = 100;
/** Expressions being evaluated inside one another; lambdas count each time they are called. */
export const MAX_DEPTH = 150;
/** Expressions evaluated, list elements looked at and loop rounds of one render, and its time (TimeLimit). */
export const MAX_STEPS = 2_000_000;
export const MAX_FORMULA_MS = 1_000;
/** What one render makes: four list elements, eight characters of text, or one object are a unit. */
export const MAX_MEMORY_UNITS = 4_000_000;
/** What a character of a formula takes when it is parsed, in bytes, as measured. */
export const PARSED_CHARACTER_BYTES = 60;
