import type { ComponentChildren } from 'preact'
import type { RequirementView } from '../../../../generated'

export interface KnownNames {
  /** The name of a user, if the screen knows it. */
  readonly nameOf?: ((id: number) => string | undefined) | undefined
}

/** Whose approval counts, in words. */
export function From({ from, nameOf }: KnownNames & { readonly from: RequirementView['from'] }) {
  if (from === null) return <>anyone who can approve</>
  const groups = from.groups.map((group) => (
    <>
      the group <bdi class="strong">{group}</bdi>
    </>
  ))
  const users = from.users.map((id) => <bdi class="strong">{nameOf?.(id) ?? `user ${id}`}</bdi>)
  return <>{list([...groups, ...users], 'or')}</>
}

/** `a, b and c` */
export function list(items: readonly ComponentChildren[], word: 'and' | 'or'): ComponentChildren[] {
  return items.flatMap((item, index) => {
    if (index === 0) return [item]
    return [index === items.length - 1 ? ` ${word} ` : ', ', item]
  })
}
