import { useMemo, useState } from 'preact/hooks'
import { Button } from '../../../parts/controls/button'
import { Json } from '../../../parts/lists/json'
import { isClosed } from '../../../parts/marks/shown-state'
import type { TargetItem } from '../../../words/content/items'
import { useRequestContext } from '../model/context'
import { isAllowed } from '../model/steps'
import { Card } from './card'
import { isOfStrategy } from './change-rows'
import { TakesProvider } from './overwrite/takes'
import { StrategyViewTabs } from './strategy-view'

/** More would make the screen slow and long: such a request begins folded. */
const maxUnfolded = 40

/** The changes, field by field. */
export function Changes() {
  const { content, latest, open, off } = useRequestContext()
  const { targets, request } = content
  const [isJson, setJson] = useState(false)
  const [unfolded, setUnfolded] = useState<ReadonlyMap<string, boolean>>(new Map())
  const begin = useMemo(() => unfoldedAtFirst(targets), [targets])
  const isOpen = (key: string) => unfolded.get(key) ?? begin.has(key)
  const isAllOpen = targets.every(({ key }) => isOpen(key))
  const all = request.features.length + request.segments.length
  return (
    <section aria-labelledby="changes">
      <div class="sec-head">
        <h2 id="changes" tabIndex={-1}>
          Changes
        </h2>
        <span class="muted small">{isClosed(latest.review.state) ? 'as of then' : 'as of now'}, field by field</span>
        {targets.some(({ changes }) => changes.some(isOfStrategy)) && <StrategyViewTabs />}
        <div class="end">
          {begin.size < targets.length && (
            <Button
              kind="quiet"
              size="tiny"
              onClick={() => setUnfolded(new Map(targets.map(({ key }) => [key, !isAllOpen])))}
            >
              {isAllOpen ? 'Collapse all' : 'Expand all'}
            </Button>
          )}
          {isAllowed(latest.review, 'edit') && (
            <Button size="tiny" icon="plus" off={off !== null} onClick={() => open({ edit: null })}>
              Add a change
            </Button>
          )}
          {all > 0 && (
            <Button kind="quiet" size="tiny" icon="braces" aria-expanded={isJson} onClick={() => setJson(!isJson)}>
              All as JSON
            </Button>
          )}
        </div>
      </div>
      {isJson && (
        <Json label="All changes as JSON" value={{ features: request.features, segments: request.segments }} />
      )}
      <TakesProvider>
        {targets.map((target) => (
          <Card
            key={target.key}
            target={target}
            isOpen={isOpen(target.key)}
            onFold={(open) => setUnfolded(new Map([...unfolded, [target.key, open]]))}
          />
        ))}
      </TakesProvider>
    </section>
  )
}

/** All of a small request; of a large one what needs a look, and as much as there is room. */
function unfoldedAtFirst(targets: readonly TargetItem[]): ReadonlySet<string> {
  let room = maxUnfolded
  const found = new Set<string>()
  const urgent = (target: TargetItem) =>
    target.changes.some(({ conflict, fields }) => conflict !== null || fields.some(({ overwrites }) => overwrites))
  for (const target of [...targets].sort((one, other) => Number(urgent(other)) - Number(urgent(one)))) {
    room -= target.changes.length
    if (room >= 0 || found.size === 0) found.add(target.key)
  }
  return found
}
