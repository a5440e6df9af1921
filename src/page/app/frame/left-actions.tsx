import type { Outcome } from '../core/api/action'
import { useLeftActions } from '../core/api/left-actions'
import { Link } from '../core/places/link'
import { Button } from '../parts/controls/button'
import { Bar, Bars } from '../parts/messages/bar'

const titles: Partial<Record<Outcome['kind'], string>> = {
  done: 'Done.',
  waiting: 'Not sent yet. Retrying.',
  unknown: 'The result is unknown.',
  unsure: 'The result is unknown.',
}

/** Says on every screen what became of steps that were still being sent when their screen was left. */
export function LeftActions() {
  return (
    <Bars>
      {useLeftActions().map(({ path, title, outcome, stop }) => {
        const kind = outcome?.kind
        const isUnderWay = kind === undefined || kind === 'waiting'
        return (
          <Bar
            tone={isUnderWay ? 'plain' : kind === 'done' ? 'ok' : 'care'}
            icon={isUnderWay ? 'refresh' : kind === 'done' ? 'check' : 'warn'}
            title={titleOf(outcome)}
            actions={
              <>
                <Link class="btn" to={path}>
                  Show
                </Link>
                <Button kind="quiet" onClick={stop}>
                  {isUnderWay ? 'Stop' : 'Close'}
                </Button>
              </>
            }
          >
            Your last step on “<bdi>{title}</bdi>”. {reason(outcome)}
          </Bar>
        )
      })}
    </Bars>
  )
}

function titleOf(outcome: Outcome | undefined): string | undefined {
  if (outcome === undefined) return 'Still sending.'
  return titles[outcome.kind] ?? ('isRepeat' in outcome ? titles.unknown : 'Not done.')
}

function reason(outcome: Outcome | undefined): string {
  if (outcome?.kind === 'changed') return 'Another user was first, so nothing was changed.'
  if (outcome?.kind === 'signedOut') return 'You are signed out.'
  if (outcome?.kind === 'unknown') return ''
  const missing = outcome !== undefined && 'missing' in outcome ? outcome.missing : []
  if (missing.length > 0) return missing.map(({ message }) => message).join(' ')
  return outcome !== undefined && 'message' in outcome ? outcome.message : ''
}
