import { Component, type ComponentChildren } from 'preact'
import { Button } from '../parts/controls/button'
import { Notice } from '../parts/messages/notice'

/** Keeps a fault of one screen from taking away the page. */
export class Safe extends Component<{ readonly children: ComponentChildren }, { readonly fault: unknown }> {
  override state = { fault: undefined }

  static override getDerivedStateFromError(fault: unknown) {
    return { fault }
  }

  override render() {
    if (this.state.fault === undefined) return this.props.children
    return (
      <Notice
        tone="stop"
        icon="stop"
        title="This screen cannot be shown"
        actions={<Button onClick={() => window.location.reload()}>Reload the page</Button>}
      >
        A fault of the page, not of the change request: {String(this.state.fault)}. Your text is kept.
      </Notice>
    )
  }
}
