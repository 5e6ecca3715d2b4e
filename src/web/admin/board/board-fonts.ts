/** The board's families: the fonts of the console, then what the system has. */
export const BOARD_FONTS = {
  'font-sans': '"Geist Variable", system-ui, sans-serif',
  'font-mono': '"Geist Mono Variable", ui-monospace, monospace',
};

/** The build puts the files beside those of the board. */
const FACES = `<style>
@font-face{font-family:"Geist Variable";font-weight:100 900;font-display:swap;src:url(static/fonts/geist.woff2) format("woff2")}
@font-face{font-family:"Geist Mono Variable";font-weight:100 900;font-display:swap;src:url(static/fonts/geist-mono.woff2) format("woff2")}
</style>`;

const FOREIGN_LINK = /<link\b[^>]*\bhref="(?:https?:)?\/\/[^>]*>/g;

/** Returns the board's page with the fonts of the console, and without a link to another host. */
export function withOwnFonts(html: string): string {
  return html.replace(FOREIGN_LINK, '').replace('</head>', `${FACES}</head>`);
}
