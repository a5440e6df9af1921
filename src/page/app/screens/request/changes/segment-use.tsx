import { list } from '../../../parts/marks/from'
import type { TargetItem } from '../../../words/content/items'
import { objectOf } from '../../../words/json'
import { counted } from '../../../words/numbers'
import { useRequestContext } from '../model/context'

/** The flags that use a segment; nothing where the flag gateway does not return them. */
export function SegmentUse({ target }: { readonly target: TargetItem }) {
  const { request, review } = useRequestContext().latest
  const users = review.segmentUse[`${objectOf(target.changes[0]?.payload ?? null).id}`]
  if (users === undefined) return null
  const flags = users.map((user) => {
    if ('others' in user) return counted(user.others, 'other flag')
    const { project, feature } = user
    return <bdi class="flag">{project === request.project ? feature : `${project}/${feature}`}</bdi>
  })
  return <p class="segment-use">{flags.length === 0 ? 'No flag uses it.' : <>Used by {list(flags, 'and')}.</>}</p>
}
