/** The size of an action, which makes the layouts of exports tidy on a grid of 15. */
export const NODE = { width: 208, height: 52 };
/** How wide a note is; its text decides how high. */
export const NOTE_WIDTH = 240;
