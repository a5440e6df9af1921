import type { RequirementView } from '../../../../generated'
import * as times from '../../core/tools/times'
import { expiryWords, isMet } from '../../words/waits'
import { From, type KnownNames, list } from './from'
import { Icon } from './icon'
import { nameOf } from './person'

interface RequirementProps extends KnownNames {
  readonly requirement: RequirementView
  /** Whether another text says whose approvals are missing. */
  readonly isWithoutMissing?: boolean
}

/** Who approved, and who still has to; an item of `<Requirements>`. */
function Requirement({ requirement, isWithoutMissing, ...known }: RequirementProps) {
  // The plain minimum has no environment.
  const { name, environment, mode, approvals, given, approvedBy, satisfiable } = requirement
  const met = isMet(requirement)
  const never = !met && satisfiable === false
  const expiry = expiryWords(requirement, times.dayAndTime)
  return (
    <li class={met ? 'met' : never ? 'never' : 'unmet'}>
      <div class="line">
        <Icon name={met ? 'met' : never ? 'stop' : 'open'} />
        <bdi>{environment === null ? 'Approvals' : `${name} (${environment})`}</bdi>
        <span class="end">
          <Pips given={given ?? 0} approvals={approvals} />
          {given ?? '?'} of {approvals}
        </span>
      </div>
      {approvedBy.length > 0 && (
        <p class="soft small">
          {list(
            approvedBy.map((person) => <bdi>{nameOf(person)}</bdi>),
            'and',
          )}
          .
        </p>
      )}
      {mode === 'trial' && <p class="soft small">On trial, does not block.</p>}
      {expiry !== '' && <p class="soft small">{expiry}</p>}
      {!met && (never || !isWithoutMissing) && (
        <p class="soft small">
          {never ? 'Not enough people could give this now: ' : 'Missing: '}
          <From from={requirement.from} {...known} />.
        </p>
      )}
    </li>
  )
}

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
