import type { ComponentChildren } from 'preact'
import type { RequirementView } from '../../../../generated'
import { Icon } from './icon'
import { nameOf } from './person'

type RequirementProps = {
  readonly requirement: RequirementView
  /** Names of users that are known here, for requirements that name users. */
  readonly names?: ReadonlyMap<number, string> | undefined
}

/** Who approved, and who still has to; an item of `<Requirements>`. */
export function Requirement({ requirement, names }: RequirementProps) {
  const { name, approvals, given, approvedBy, satisfiable } = requirement
  const met = given >= approvals
  const never = !met && satisfiable === false
  return (
    <li class={met ? 'met' : never ? 'never' : 'unmet'}>
      <div class="line">
        <Icon name={met ? 'met' : never ? 'stop' : 'open'} />
        <bdi>{name === 'minimum' ? 'Approvals' : name}</bdi>
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
  return (
    <ul class="reqs">
      {requirements.map((one) => (
        <Requirement key={one.name} requirement={one} names={names} />
      ))}
    </ul>
  )
}

/** Whose approval counts, in words. */
export function From({ from, names }: { readonly from: RequirementView['from'] } & Pick<RequirementProps, 'names'>) {
  if (from === null) return <>somebody who may approve</>
  const groups = from.groups.map((group) => (
    <>
      the group{' '}
      <b>
        <bdi>{group}</bdi>
      </b>
    </>
  ))
  const users = from.users.map((id) => (
    <b>
      <bdi>{names?.get(id) ?? `user ${id}`}</bdi>
    </b>
  ))
  return <>somebody of {list([...groups, ...users], 'or')}</>
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

/** `a, b and c` */
export function list(items: readonly ComponentChildren[], word: 'and' | 'or'): ComponentChildren[] {
  return items.flatMap((item, index) => {
    if (index === 0) return [item]
    return [index === items.length - 1 ? ` ${word} ` : ', ', item]
  })
}
