import type { ComponentChildren } from 'preact'
import type { ReviewListItemView } from '../../../../generated'
import { Link } from '../../core/places/link'
import { requestPath } from '../../core/places/navigation'
import { ImpliedChange } from '../../parts/changes/implied-change'
import { RichText } from '../../parts/changes/rich-text'
import { WarningMarks } from '../../parts/changes/warning-marks'
import { lazy, PartFallback } from '../../parts/lazy'
import { Icon } from '../../parts/marks/icon'
import { RequestName } from '../../parts/marks/request-name'
import { Requirements } from '../../parts/marks/requirement'
import { StateMark } from '../../parts/marks/state-mark'
import { LoadFailed, MissingList } from '../../parts/messages/load-failed'
import { changeWords } from '../../words/changes'
import type { ChangeItem, TargetItem } from '../../words/content/items'
import { effectOf } from '../../words/effects/effects'
import type { SegmentNames } from '../../words/fields/labels'
import { hasUnseen } from '../../words/visible'
import type { EditPlace } from '../now/own-open'
import type { PreviewState } from './use-preview'

const CheckNames = lazy(async () => (await import('../../parts/marks/check-names')).CheckNames, PartFallback)

const Freezes = lazy(async () => (await import('../../parts/messages/freezes')).Freezes, PartFallback)

interface EffectProps {
  readonly place: EditPlace
  readonly preview: PreviewState
  readonly isEdited: boolean
  readonly names: SegmentNames
  /** Other open change requests of the same field. */
  readonly same?: readonly ReviewListItemView[]
  /** What is wrong with what was typed, by its field. */
  readonly errors: ReadonlyMap<string, string>
  /** What to do with the edit. */
  readonly children?: ComponentChildren
}

/** What the changes do, as their reviewers will see it, and what they will need. */
export function Effect({ place, preview, isEdited, names, same = [], errors, children }: EffectProps) {
  const { shown, loaded } = preview
  const { error } = loaded
  const isRejected = error !== undefined && 'missing' in error && error.kind !== 'forbidden'
  return (
    <aside class="aside" aria-label="What it will do">
      <section class="panel side decide edge" aria-labelledby="effect">
        <h2 id="effect">What it will do</h2>
        <div class="does" aria-live="polite" aria-busy={loaded.loading}>
          {!isEdited && <p class="muted">Nothing is edited yet.</p>}
          {shown?.targets.map((target) => (
            <Target key={target.key} target={target} environment={place.environment} names={names} />
          ))}
          {isEdited && !shown && !error && <p class="muted">Loading…</p>}
        </div>
        <div role="status">
          {errors.size > 0 && <MissingList missing={[...errors.values()].map((message) => ({ message }))} />}
          {isEdited && error && !isRejected && <LoadFailed loaded={loaded} subject="what it will do" />}
        </div>
        {shown && shown.freezes.length > 0 && <Freezes now={shown.freezes} />}
        {children}
      </section>
      {shown && shown.requirements.length + (shown.checks?.length ?? 0) > 0 && (
        <section class="panel side edge" aria-labelledby="needs">
          <h2 id="needs">It will need</h2>
          <Requirements requirements={shown.requirements} targets={shown.targets} />
          {shown.checks && <CheckNames checks={shown.checks} />}
        </section>
      )}
      {same.length > 0 && (
        <section class="panel side same-field edge" aria-labelledby="same-field">
          <h2 id="same-field">Also open for the same field</h2>
          <ul class="lines small">
            {same.map(({ project, id, title, state }) => (
              <li key={id} class="flow">
                <Link to={requestPath(project, id)}>
                  <RequestName id={id} title={title} />
                </Link>
                <StateMark state={state} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </aside>
  )
}

interface TargetProps {
  readonly target: TargetItem
  readonly environment: string
  readonly names: SegmentNames
}

function Target({ target: { changes, implied }, environment, names }: TargetProps) {
  return (
    <>
      <ul class="lines">
        {changes.map((change) => (
          <Change key={change.id} change={change} implied={implied} />
        ))}
      </ul>
      {implied && <ImpliedChange environment={environment} segmentNames={names} change={implied} />}
    </>
  )
}

function Change({ change, implied }: { readonly change: ChangeItem; readonly implied: TargetItem['implied'] }) {
  const { before, after, conflict, fields, endsAtEverybody, payload } = change
  const { icon, what, how } = changeWords(change, before ?? after)
  return (
    <li>
      <p class="does-head">
        <Icon name={icon} />
        <span class="flow">
          <span>
            <bdi class="strong">{what}</bdi> <span class="muted">{how}</span>
          </span>
          <WarningMarks
            conflict={conflict !== null}
            overwrites={fields.some(({ overwrites }) => overwrites)}
            everybody={endsAtEverybody}
          />
        </span>
      </p>
      <p class="effect soft small">{conflict ?? <RichText words={effectOf(change, implied)} />}</p>
      {hasUnseen([payload]) && (
        <p class="box m-care small">
          <Icon name="warn" /> This change contains characters that can't be seen.
        </p>
      )}
    </li>
  )
}
