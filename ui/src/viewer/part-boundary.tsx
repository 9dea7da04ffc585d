import { Component, type ReactNode } from 'react'

interface PartBoundaryProps {
  /** Drawn in place of what failed. */
  readonly fallback: (retry: () => void) => ReactNode
  readonly children: ReactNode
}

/** Keeps a way of showing files that could not be fetched, or that fails, from taking the viewer along. */
export class PartBoundary extends Component<PartBoundaryProps, { failed: boolean }> {
  override readonly state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback(() => this.setState({ failed: false })) : this.props.children
  }
}
