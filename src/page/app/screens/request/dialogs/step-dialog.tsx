import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { reachOf } from '../../../core/tools/production'
import { RichText } from '../../../parts/changes/rich-text'
import { Button } from '../../../parts/controls/button'
import { Dialog } from '../../../parts/controls/dialog'
import { PlaceMark, ProductionBand } from '../../../parts/marks/environment-mark'
import type { IconName } from '../../../parts/marks/icon'
import { OutcomeNotice } from '../../../parts/messages/outcome-notice'
import type { TargetItem } from '../../../words/content/items'
import { effectWords } from '../../../words/effects/effects'
import { OffReason } from '../step-button'
import type { RequestProps } from '../use-request'
import type { StepAction } from '../use-step'

export interface DialogProps extends RequestProps {
  /** The change, comment, objection or predecessor that the dialog is about. */
  readonly id?: number | undefined
  /** The change request that it reverts. */
  readonly reverts?: number | undefined
  readonly onClose: () => void
}

interface StepDialogProps extends Pick<DialogProps, 'request' | 'actions' | 'onClose'> {
  readonly title: string
  /** It affects the environment, so production has its band. */
  readonly affectsEnvironment?: boolean
  readonly wide?: boolean
  readonly subtitle?: ComponentChildren
  readonly submitLabel: ComponentChildren
  readonly busyLabel: string
  readonly icon: IconName
  readonly danger?: boolean
  readonly cancelLabel: string
  readonly step: Omit<StepAction, 'start'>
  readonly isReady?: boolean
  /** For the message of a denied step, such as `reject it`. */
  readonly verb: string
  readonly keptMessage?: string | undefined
  readonly children?: ComponentChildren
}

/** A dialog for a step that needs more than a press. The input stays until the step is done. */
export function StepDialog(props: StepDialogProps) {
  const { request, actions, step, onClose, isReady = true } = props
  const reach = reachOf(request)
  const isOff = !isReady || actions.off !== null
  const fields = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => fields.current?.querySelector<HTMLElement>('[data-first]')?.focus(), [])
  const onShow = () => {
    onClose()
    step.onShow?.()
  }
  return (
    <Dialog
      title={props.title}
      wide={props.wide}
      band={props.affectsEnvironment && <ProductionBand name={reach} />}
      above={<PlaceMark project={request.project} name={reach} />}
      subtitle={props.subtitle}
      onClose={onClose}
      onSubmit={() => isOff || step.press()}
      actions={
        <>
          <Button onClick={onClose}>{props.cancelLabel}</Button>
          <Button
            submit
            icon={props.icon}
            kind={props.danger ? 'danger' : 'primary'}
            off={isOff}
            busy={step.busy && props.busyLabel}
          >
            {props.submitLabel}
          </Button>
        </>
      }
    >
      <div class="dlg-fields" ref={fields}>
        {props.children}
      </div>
      <OffReason off={actions.off} />
      <OutcomeNotice
        action={{ ...step, onShow: step.onShow && onShow }}
        verb={props.verb}
        keptMessage={props.keptMessage}
      />
    </Dialog>
  )
}

const maxTargets = 3

/** The effects on the first flags. */
export function About({ targets }: { readonly targets: readonly TargetItem[] }) {
  return (
    <ul class="about-targets">
      {targets.slice(0, maxTargets).map(({ key, name, changes, implied }) => (
        <li key={key}>
          <bdi class="flag">{name}</bdi> <RichText words={effectWords(changes, implied)} />
        </li>
      ))}
      {targets.length > maxTargets && <li class="muted">{targets.length - maxTargets} more</li>}
    </ul>
  )
}
