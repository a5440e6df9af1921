import type { ComponentChildren } from 'preact'
import type { RequirementView } from '../../../../generated'

/** Names of users by their numbers, if a screen knows them. */
export type Names = ReadonlyMap<number, string> | undefined

/** Whose approval counts, in words. */
export function From({ from, names }: { readonly from: RequirementView['from']; readonly names?: Names }) {
  if (from === null) return <>anyone who can approve</>
  const groups = from.groups.map((group) => (
    <>
      the group <bdi class="strong">{group}</bdi>
    </>
  ))
  const users = from.users.map((id) => <bdi class="strong">{names?.get(id) ?? `user ${id}`}</bdi>)
  return <>{list([...groups, ...users], 'or')}</>
}

/** `a, b and c` */
export function list(items: readonly ComponentChildren[], word: 'and' | 'or'): ComponentChildren[] {
  return items.flatMap((item, index) => {
    if (index === 0) return [item]
    return [index === items.length - 1 ? ` ${word} ` : ', ', item]
  })
}
