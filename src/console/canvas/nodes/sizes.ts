/** The size of an action, which makes the layouts of exports tidy on a grid of 15. */
export const NODE = { width: 208, height: 52 };
/** How wide a note is; its text decides how high. */
export const NOTE_WIDTH = 240;
/** Actions stand on a grid; one step of an arrow key is as long. */
export const GRID = 15;
/** The height of a note until it is drawn. */
export const NOTE_HEIGHT = 90;
/** Where the ports of an action are: their middle, from its left edge. */
export const PORT_AT = { NO_MATCH: 44, DEFAULT: NODE.width / 2, FAILURE: NODE.width - 44 };
/** The radius of the corners of links. */
export const CORNER = 12;
/** How large a port is drawn; what may be pressed is 24 px wide and high. */
export const PORT = 10;
