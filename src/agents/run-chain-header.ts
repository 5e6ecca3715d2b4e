/** The header by which a call of one story's webhook by another tells the run that makes it; a guid. */
export const RUN_CHAIN_HEADER = 'x-fabula-run';
