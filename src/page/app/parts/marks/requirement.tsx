import type { RequirementView } from '../../../../generated'
import { From, list, type Names } from './from'
import { Icon } from './icon'
import { nameOf } from './person'

type RequirementProps = {
  readonly requirement: RequirementView
  /** Names of users that are known here, for requirements that name users. */
  readonly names?: Names
  /** Whether its environment is shown: where the requirements are those of several. */
  readonly several?: boolean
}

/** Who approved, and who still has to; an item of `<Requirements>`. */
export function Requirement({ requirement, names, several }: RequirementProps) {
  const { name, environment, approvals, given, approvedBy, satisfiable } = requirement
  const met = given >= approvals
  const never = !met && satisfiable === false
  return (
    <li class={met ? 'met' : never ? 'never' : 'unmet'}>
      <div class="line">
        <Icon name={met ? 'met' : never ? 'stop' : 'open'} />
        <bdi>{name === 'minimum' ? 'Approvals' : several ? `${name} (${environment})` : name}</bdi>
        <span class="end">
          <Pips given={given} approvals={approvals} />
          {given} of {approvals}
        </span>
      </div>
      {approvedBy.length > 0 && (
        <p>
          {list(
            approvedBy.map((person) => <bdi>{nameOf(person)}</bdi>),
            'and',
          )}
          .
        </p>
      )}
      {!met && (
        <p>
          {never ? (
            <>
              Not enough people could give this now: <From from={requirement.from} names={names} />.
            </>
          ) : (
            <>
              Missing: <From from={requirement.from} names={names} />.
            </>
          )}
        </p>
      )}
    </li>
  )
}

export function Requirements({
  requirements,
  names,
}: { readonly requirements: readonly RequirementView[] } & Pick<RequirementProps, 'names'>) {
  // The plain minimum has none.
  const several = new Set(requirements.map(({ environment }) => environment)).size > 2
  return (
    <ul class="reqs">
      {requirements.map((one) => (
        <Requirement key={`${one.environment} ${one.name}`} requirement={one} names={names} several={several} />
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
