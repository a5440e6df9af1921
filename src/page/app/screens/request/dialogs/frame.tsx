import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { reachOf } from '../../../core/tools/production'
import { Said } from '../../../parts/changes/said'
import { Button } from '../../../parts/controls/button'
import { Dialog } from '../../../parts/controls/dialog'
import { PlaceMark, ProductionBand } from '../../../parts/marks/environment-mark'
import type { IconName } from '../../../parts/marks/icon'
import { OutcomeNotice } from '../../../parts/messages/outcome-notice'
import type { TargetItem } from '../../../words/content/items'
import { effectWords } from '../../../words/effects/effects'
import { OffReason } from '../decision/off-reason'
import { useRequestContext } from '../model/context'
import type { StepAction } from '../model/use-step'

export interface DialogProps {
  readonly onClose: () => void
}

interface StepDialogProps<A extends readonly unknown[]> extends DialogProps {
  readonly title: string
  /** Acts on the environment, so that production has its band. */
  readonly acts?: boolean
  readonly wide?: boolean
  readonly below?: ComponentChildren
  /** What the button says, and while it works. */
  readonly words: ComponentChildren
  readonly busy: string
  readonly icon: IconName
  readonly danger?: boolean
  /** What leaves all as it is. */
  readonly leave: string
  readonly step: StepAction<A>
  readonly onSubmit: () => void
  readonly isReady?: boolean
  /** The step that is denied, for the message. */
  readonly what: string
  readonly kept?: string
  readonly children?: ComponentChildren
}

/** A step that needs more than a press. What is entered stays until it is done. */
export function StepDialog<A extends readonly unknown[]>(props: StepDialogProps<A>) {
  const {
    title,
    acts = false,
    below,
    words,
    busy,
    icon,
    danger = false,
    leave,
    step,
    what,
    kept,
    onClose,
    children,
  } = props
  const { content, off } = useRequestContext()
  const reach = reachOf(content.request)
  const ready = (props.isReady ?? true) && off === null
  const body = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => body.current?.querySelector<HTMLElement>('[data-first]')?.focus(), [])
  return (
    <Dialog
      title={title}
      wide={props.wide}
      band={acts && <ProductionBand name={reach} />}
      above={<PlaceMark project={content.request.project} name={reach} />}
      below={below}
      onClose={onClose}
      onSubmit={() => ready && props.onSubmit()}
      actions={
        <>
          <Button onClick={onClose}>{leave}</Button>
          <Button submit icon={icon} kind={danger ? 'danger' : 'primary'} off={!ready} busy={step.busy && busy}>
            {words}
          </Button>
        </>
      }
    >
      <div class="dlg-fields" ref={body}>
        {children}
      </div>
      <OffReason />
      <OutcomeNotice
        action={{
          ...step,
          onShow:
            step.onShow &&
            (() => {
              onClose()
              step.onShow?.()
            }),
        }}
        what={what}
        kept={kept}
      />
    </Dialog>
  )
}

/** What it is about: the first flags in words. */
export function About({ targets }: { readonly targets: readonly TargetItem[] }) {
  const most = 3
  return (
    <ul class="about-targets">
      {targets.slice(0, most).map(({ key, name, changes, along }) => (
        <li key={key}>
          <span class="flag">
            <bdi>{name}</bdi>
          </span>{' '}
          <Said words={effectWords(changes, along)} />
        </li>
      ))}
      {targets.length > most && <li class="muted">{targets.length - most} more</li>}
    </ul>
  )
}
