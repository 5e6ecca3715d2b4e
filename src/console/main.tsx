import './styles/tokens.css';
import './styles/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { allowOwnStyles } from './app/own-styles.js';

allowOwnStyles();
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App />);
