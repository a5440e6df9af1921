import type { ComponentChildren } from 'preact'
import type { Action, Outcome } from '../../core/api/action'
import { Button } from '../controls/button'
import type { IconName } from '../marks/icon'
import { Countdown, MissingList } from './load-failed'
import { Notice, noAnswer, SignedOut, type Tone } from './notice'

interface OutcomeNoticeProps {
  readonly action: Pick<Action<readonly never[]>, 'outcome' | 'retryNow' | 'stop'> & {
    /** Shows what changed meanwhile. */
    readonly onShow?: (() => void) | undefined
  }
  /** The step that is denied, such as `apply in production of shop`. */
  readonly verb?: string | undefined
  /** Such as `Your comment is kept.` */
  readonly keptMessage?: string | undefined
}

/** What came of a step that was not done: why, and what to do. Nothing while there is nothing to say. */
export function OutcomeNotice({ action, verb = 'do this', keptMessage = '' }: OutcomeNoticeProps) {
  const { outcome } = action
  return (
    <div role="status">
      {outcome && outcome.kind !== 'done' && <Message {...{ action, outcome, verb, keptMessage }} />}
    </div>
  )
}

type MessageProps = Required<OutcomeNoticeProps> & { outcome: Outcome }

function Message({ action, outcome, verb, keptMessage }: MessageProps): ComponentChildren {
  const close = (
    <Button kind="quiet" onClick={action.stop}>
      Close
    </Button>
  )
  if (outcome.kind === 'signedOut') return <SignedOut>{unchanged(outcome)} Your text is kept in this tab.</SignedOut>
  if (outcome.kind === 'waiting') return <Waiting {...{ action, outcome }} />
  if (outcome.kind === 'unknown') return <Unknown {...{ outcome, close, keptMessage }} />
  if (outcome.kind === 'changed' || outcome.kind === 'unsure') return <Changed {...{ action, outcome, keptMessage }} />
  const { title = `You can't ${verb}`, ...look } = looks[outcome.kind] ?? looks.failed
  return (
    <Notice {...look} title={title} actions={close}>
      {'missing' in outcome && outcome.missing.length > 0 ? (
        <MissingList missing={outcome.missing} />
      ) : (
        'message' in outcome && outcome.message
      )}{' '}
      {(outcome.kind === 'forbidden' || isRepeat(outcome)) && unchanged(outcome)} {keptMessage}
    </Notice>
  )
}

const mayBeDone = 'Your first attempt may have succeeded. Check before you retry.'

const isRepeat = (outcome: Outcome): boolean => 'isRepeat' in outcome

const unchanged = (outcome: Outcome): string => (isRepeat(outcome) ? mayBeDone : 'Nothing was changed.')

const looks: Readonly<Record<string, { tone: Tone; icon: IconName; title?: string }>> & {
  failed: { tone: Tone; icon: IconName; title: string }
} = {
  missing: { tone: 'care', icon: 'info', title: 'Not possible now' },
  forbidden: { tone: 'stop', icon: 'lock' },
  gone: { tone: 'plain', icon: 'info', title: 'It no longer exists' },
  failed: { tone: 'stop', icon: 'stop', title: 'The step failed' },
}

function Changed({ action: { onShow }, outcome, keptMessage }: Omit<MessageProps, 'verb'>) {
  const unsure = outcome.kind === 'unsure'
  const show = onShow && (
    <Button kind="primary" onClick={onShow}>
      Show what changed
    </Button>
  )
  return (
    <Notice
      tone="care"
      icon="warn"
      title={unsure ? 'It was changed in the meantime' : 'Another user was first, so nothing was changed'}
      actions={show}
    >
      {unsure ? mayBeDone : 'Another user changed it, voted or commented in the meantime. Review it, then decide.'}{' '}
      {keptMessage}
    </Notice>
  )
}

function Unknown({
  outcome,
  close,
  keptMessage,
}: Pick<MessageProps, 'keptMessage'> & { outcome: Extract<Outcome, { kind: 'unknown' }>; close: ComponentChildren }) {
  return (
    <Notice tone="care" icon="warn" title="The result is unknown" actions={close}>
      The response did not come from the change request API, but perhaps from a proxy.{' '}
      {outcome.isRead
        ? 'What you see was read after it: your step is not there. You can try again.'
        : 'Your attempt may have succeeded. Check before you retry.'}{' '}
      {keptMessage}
    </Notice>
  )
}

function Waiting({
  action,
  outcome,
}: Pick<MessageProps, 'action'> & { outcome: Extract<Outcome, { kind: 'waiting' }> }) {
  return (
    <Notice
      {...noAnswer[outcome.because]}
      actions={
        <>
          <Button onClick={action.retryNow}>Retry now</Button>
          <Button kind="quiet" onClick={action.stop}>
            Stop retrying
          </Button>
        </>
      }
    >
      Retrying <Countdown to={outcome.retryAt} />. Retrying is safe.
    </Notice>
  )
}
