import type { UIConfig } from '@bull-board/api/typings/app';
import { CONSOLE_PATH, fromBoard, SIGN_OUT_PATH } from '../admin-paths.js';

/**
 * The board's looks: the parts besides queues, and its colours. If it lightens text by opacity, its own colours have less
 * contrast than WCAG asks for (4.5).
 */
export const BOARD_STYLE: UIConfig = {
  boardTitle: 'Fabula',
  showMetrics: true,
  // It leads to another host, about a program that readers do not install.
  hideDocsLink: true,
  miscLinks: [
    { text: 'Console', url: fromBoard(`${CONSOLE_PATH}queues`) },
    { text: 'Sign out', url: fromBoard(SIGN_OUT_PATH) },
  ],
  theme: {
    light: {
      foreground: '#000000',
      'muted-foreground': '#434d57',
      'state-selected-foreground': '#084a43',
      'sidebar-state-selected-foreground': '#084a43',
    },
    dark: { 'muted-foreground': '#a9b3c0' },
  },
};
