import type { RequirementView } from '../../../../generated'
import * as times from '../../core/tools/times'
import { expiryWords, isEnforced, isMet } from '../../words/waits'
import { lazy } from '../lazy'
import type { BecauseProps } from './because'
import { From, type KnownNames, list } from './from'
import { Icon } from './icon'
import { nameOf } from './person'

interface RequirementProps extends KnownNames, Pick<BecauseProps, 'targets' | 'linkTo'> {
  readonly requirement: RequirementView
  /** Whether another text says whose approvals are missing. */
  readonly isWithoutMissing?: boolean
}

/** Who approved, and who still has to; an item of `<Requirements>`. */
function Requirement({ requirement, isWithoutMissing, targets, linkTo, ...known }: RequirementProps) {
  // The plain minimum has no environment.
  const { name, environment, approvals, given, approvedBy, satisfiable, because } = requirement
  const enforced = isEnforced(requirement)
  const met = isMet(requirement)
  const never = !met && satisfiable === false
  const expiry = expiryWords(requirement, times.dayAndTime)
  return (
    <li class={met ? 'met' : never ? 'never' : enforced ? 'unmet' : 'trial'}>
      <div class="line">
        <Icon name={met ? 'met' : never ? 'stop' : 'open'} />
        <bdi>{environment === null ? 'Approvals' : `${name} (${environment})`}</bdi>
        <span class="end">
          <Pips given={given ?? 0} approvals={approvals} />
          {given ?? '?'} of {approvals}
        </span>
      </div>
      {!enforced && <p class="muted small">On trial, does not block.</p>}
      {because.length > 0 && <Because {...{ because, targets, linkTo }} />}
      {approvedBy.length > 0 && (
        <p class="soft small">
          {list(
            approvedBy.map((person) => <bdi>{nameOf(person)}</bdi>),
            'and',
          )}
          .
        </p>
      )}
      {expiry !== '' && <p class="soft small">{expiry}</p>}
      {!met && (never || !enforced || !isWithoutMissing) && (
        <p class="soft small">
          {never ? 'Not enough people could give this now: ' : enforced ? 'Missing: ' : 'Not given: '}
          <From from={requirement.from} {...known} />.
        </p>
      )}
    </li>
  )
}

/** Most requirements have none. */
const Because = lazy(
  async () => (await import('./because')).Because,
  () => null,
)

interface RequirementsProps extends Omit<RequirementProps, 'requirement'> {
  readonly requirements: readonly RequirementView[]
}

export function Requirements({ requirements, ...props }: RequirementsProps) {
  return (
    <ul class="reqs lines">
      {requirements.map((one) => (
        <Requirement key={`${one.environment} ${one.name}`} requirement={one} {...props} />
      ))}
    </ul>
  )
}

function Pips({ given, approvals }: { readonly given: number; readonly approvals: number }) {
  return (
    <span class="pips" aria-hidden="true">
      {Array.from({ length: Math.min(approvals, 10) }, (_, index) => (
        <i key={index} class={index < given ? 'on' : undefined} />
      ))}
    </span>
  )
}
