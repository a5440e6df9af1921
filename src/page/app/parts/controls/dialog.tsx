import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { useSigningIn } from '../../core/api/session'

interface DialogProps {
  readonly title: ComponentChildren
  /** Above the title: where it happens. */
  readonly above?: ComponentChildren
  /** Below the title. */
  readonly subtitle?: ComponentChildren
  /** The striped band of production, for what acts there. */
  readonly band?: ComponentChildren
  /** The buttons at its end; the last one is the step. */
  readonly actions?: ComponentChildren
  readonly wide?: boolean | undefined
  /** Esc, or a press outside; the parent takes it away. */
  readonly onClose: () => void
  /** Makes it a form, which Enter sends. */
  readonly onSubmit?: (() => void) | undefined
  readonly children?: ComponentChildren
}

/** A modal dialog. The focus goes into it, stays, and returns to what had it before. */
export function Dialog({ title, above, subtitle, band, actions, wide, onClose, onSubmit, children }: DialogProps) {
  const element = useModal()
  const id = useId()
  const content = (
    <>
      {band}
      <div class="dlg-head">
        {above && <div class="flow">{above}</div>}
        <h2 id={id}>{title}</h2>
        {subtitle}
      </div>
      <div class="dlg-body">{children}</div>
      {actions && <div class="dlg-foot">{actions}</div>}
    </>
  )
  return (
    <dialog
      ref={element}
      class={wide ? 'wide' : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) =>
        event.target === event.currentTarget && isOutside(event, event.currentTarget) && onClose()
      }
    >
      <Body onSubmit={onSubmit}>{content}</Body>
    </dialog>
  )
}

/** A form, where there is something to send. */
function Body({ onSubmit, children }: Pick<DialogProps, 'onSubmit' | 'children'>) {
  if (onSubmit === undefined) return <>{children}</>
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}

/** Opens the dialog while it is rendered, and gives the focus back. It makes room for the sign-in form, which it would cover. */
function useModal() {
  const element = useRef<HTMLDialogElement>(null)
  const isBehind = useSigningIn()
  useLayoutEffect(() => {
    const before = document.activeElement
    const dialog = element.current
    return () => {
      // While it is open, nothing behind it takes the focus.
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  useLayoutEffect(() => {
    if (isBehind) element.current?.close()
    else if (element.current?.open === false) element.current.showModal()
  }, [isBehind])
  return element
}

function isOutside({ clientX, clientY }: MouseEvent, dialog: HTMLElement): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}
