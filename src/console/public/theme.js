// Runs before the first paint, so that no page flashes in the other theme. A policy of the page forbids scripts inside it.
// `app/theme.ts` does the same later.
let chosen = null;
try {
  chosen = localStorage.getItem('fabula.theme');
} catch {
  // Without storage, the theme is that of the system.
}
const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
document.documentElement.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : system;
