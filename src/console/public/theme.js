// Runs before the first paint, so that no page flashes in the other theme. A policy of the page forbids scripts inside it.
try {
  const chosen = localStorage.getItem('fabula.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // Without storage, the theme is that of the system.
}
