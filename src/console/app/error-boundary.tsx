import { Component, type ReactNode, useEffect } from 'react';
import { Away } from '../ui/away.js';
import { Button } from '../ui/form/button.js';
import { Nothing } from '../ui/states.js';
import { isPartError, reloadOnceReached } from './part-errors.js';

interface ErrorBoundaryProps {
  children: ReactNode;
  /** Whether it is about the whole window, which has no landmark then. */
  isWhole?: boolean;
}

/** Shows that a page broke, with a way out, in place of an empty window. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state = { error: undefined as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (isPartError(error)) return <PartAway />;
    const Frame = this.props.isWhole === true ? 'main' : 'div';
    return (
      <Frame>
        <Nothing title="Something went wrong on this page.">
          <p>It may have been loaded from an older version.</p>
          {error instanceof Error && <p className="faint wrap">{error.message}</p>}
          <Button look="main" onClick={() => location.reload()}>
            Reload
          </Button>
        </Nothing>
      </Frame>
    );
  }
}

/** A page whose files cannot be loaded: it is reloaded once the server answers. */
function PartAway() {
  useEffect(reloadOnceReached, []);
  return <Away />;
}
