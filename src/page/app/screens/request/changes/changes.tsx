import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../../parts/controls/button'
import { Json } from '../../../parts/lists/json'
import { isClosed } from '../../../parts/marks/state-traits'
import { useRequestContext } from '../model/context'
import { isAllowed } from '../model/steps'
import { Card } from './card'
import { isOfStrategy } from './change-rows'
import { EffectMarks } from './effects'
import { TakesProvider } from './overwrite/takes'
import { StrategyViewTabs } from './strategy-view'

/** The changes, field by field. */
export function Changes() {
  const { targets } = useRequestContext().content
  const [folded, setFolded] = useState<readonly string[]>([])
  return (
    <ChangesSection>
      {targets.map((target) => (
        <Card
          key={target.key}
          target={target}
          isOpen={!folded.includes(target.key)}
          onFold={(open) => setFolded([...folded.filter((key) => key !== target.key), ...(open ? [] : [target.key])])}
          summary={<EffectMarks target={target} />}
        />
      ))}
    </ChangesSection>
  )
}

interface ChangesSectionProps {
  /** Next to the heading. */
  readonly summary?: ComponentChildren
  readonly tools?: ComponentChildren
  readonly children: ComponentChildren
}

/** The heading of the changes, and what one can do with all of them. */
export function ChangesSection({ summary, tools, children }: ChangesSectionProps) {
  const { content, latest, later, me, open, off } = useRequestContext()
  const { targets, request } = content
  const [isJson, setJson] = useState(false)
  const hasVoided = content.review.voidedApprovals.some(({ by }) => by.id === me.id)
  const all = request.features.length + request.segments.length
  return (
    <section aria-labelledby="changes">
      <div class="sec-head">
        <h2 id="changes" tabIndex={-1}>
          Changes
        </h2>
        <span class="muted small">
          {summary}
          {isClosed(latest.review.state) ? 'as of then' : 'as of now'}, field by field
        </span>
        {targets.some(({ changes }) => changes.some(isOfStrategy)) && <StrategyViewTabs />}
        <div class="end">
          {tools}
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
      {!isClosed(latest.review.state) && (
        <div class={hasVoided ? 'since voided' : 'since'}>{later && <later.Since />}</div>
      )}
      {isJson && (
        <Json label="All changes as JSON" value={{ features: request.features, segments: request.segments }} />
      )}
      <TakesProvider>{children}</TakesProvider>
    </section>
  )
}
