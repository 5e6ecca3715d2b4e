import type { UIConfig } from '@bull-board/api/typings/app';
import { BOARD_FONTS } from './board-fonts.js';

const SHARED = { ...BOARD_FONTS, radius: '6px' };

const LIGHT = { ground: '#f8f9fb', surface: '#ffffff', hover: '#eaebf1', line: '#dadbe2', chosen: '#e6ecfe' };
const DARK = { ground: '#0d0e14', surface: '#14151d', hover: '#22242e', line: '#313340', chosen: '#222a51' };

/** Returns the board's names for the colours of the console (`src/console/styles/tokens.css`). */
const coloursOf = ({ ground, surface, hover, line, chosen }: typeof LIGHT) => ({
  background: ground,
  card: surface,
  popover: surface,
  sidebar: surface,
  border: line,
  'sidebar-border': line,
  accent: hover,
  'sidebar-accent': hover,
  'state-hover': hover,
  'sidebar-state-hover': hover,
  'state-selected': chosen,
  'state-selected-hover': chosen,
  'sidebar-state-selected': chosen,
  'sidebar-state-selected-hover': chosen,
});

/**
 * The board in the colours and fonts of the console. If it lightens text by opacity, its own colours have less contrast than
 * WCAG asks for (4.5).
 */
export const BOARD_THEME: NonNullable<UIConfig['theme']> = {
  light: {
    ...SHARED,
    ...coloursOf(LIGHT),
    foreground: '#000000',
    'muted-foreground': '#434d57',
    primary: '#2d54d3',
    'primary-foreground': '#ffffff',
    ring: '#2d54d3',
    'state-selected-foreground': '#161827',
    'sidebar-state-selected-foreground': '#161827',
  },
  dark: {
    ...SHARED,
    ...coloursOf(DARK),
    'muted-foreground': '#a9b3c0',
    primary: '#96affc',
    'primary-foreground': '#0d0e14',
    ring: '#96affc',
    'state-selected-foreground': '#edeef3',
    'sidebar-state-selected-foreground': '#edeef3',
  },
};
