// Runs before the first paint, so that no page flashes in the other theme or moves its rows. A policy of the page forbids
// scripts inside it. `ui/browser/theme.ts` and `ui/browser/row-height.ts` do the same later.
let chosen = null;
let rows = null;
try {
  chosen = localStorage.getItem('fabula.theme');
  rows = localStorage.getItem('fabula.rows');
} catch {
  // Without storage, the theme is that of the system.
}
const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
document.documentElement.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : system;
document.documentElement.dataset.rows = rows === 'compact' ? rows : 'roomy';
