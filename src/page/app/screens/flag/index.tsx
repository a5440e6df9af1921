import { useId, useMemo, useState } from 'preact/hooks'
import { namesIn } from '../../../../domain/content/json-pointer'
import { flagPath, type Place, useLocation } from '../../core/places/navigation'
import { RichText } from '../../parts/changes/rich-text'
import { Button } from '../../parts/controls/button'
import { EnvironmentMark } from '../../parts/marks/environment-mark'
import { LoadFailed, NotLoaded } from '../../parts/messages/load-failed'
import { Notice } from '../../parts/messages/notice'
import { useSettings } from '../../reviews/projects'
import { strategyName } from '../../words/changes'
import { effectWords } from '../../words/effects/effects'
import { labelOf } from '../../words/fields/labels'
import { isBlank, type Json, listOf, objectOf, shown } from '../../words/json'
import { Effect } from './effect'
import { errorsByField } from './errors'
import { FlagFields } from './fields'
import { FirstEnvironment } from './first-environment'
import { Head } from './head'
import type { FlagEdit } from './model/edit'
import { OpenRequests, sameField, useOpenRequests } from './open-requests'
import { Propose } from './propose'
import { type EditedFlag, useEdit } from './use-edit'
import { type FlagPlace, type PreviewState, usePreview } from './use-preview'
import './flag.css'

/** A flag as it is in an environment, and what one would change in it. */
export function Flag({ place: { project, name } }: { readonly place: Extract<Place, { screen: 'flag' }> }) {
  const environment = useLocation().query.get('environment') ?? ''
  if (environment !== '') return <FlagIn place={{ project, environment, feature: name }} />
  return <FirstEnvironment project={project} title={name} pathIn={(one) => flagPath(project, name, one)} />
}

function FlagIn({ place }: { readonly place: FlagPlace }) {
  const { project, environment, feature } = place
  const edited = useEdit(place)
  const { flag, edit } = edited
  const isOff = useSettings(project).data?.some((one) => one.environment === environment && !one.changeRequestEnabled)
  const offered = isOff ? nothing : edited.offered
  const changes = isOff ? nothing : edited.changes
  const names = flag.data?.segmentNames ?? noNames
  const preview = usePreview(place, changes, names)
  const requests = useOpenRequests(place)
  const same = sameField(requests, place, preview.shown)
  const errors = useMemo(
    () => (edit ? errorsByField(preview.problems, preview.sent, edit) : noErrors),
    [preview.problems, edit],
  )
  const proposal = useProposal(edited, preview, errors)
  return (
    <>
      <Head place={place} flag={flag.data} />
      <OpenRequests place={place} requests={requests} same={same} />
      <div class={edit ? 'cols' : 'stack'}>
        <div class="stack">
          <StateNotices place={place} edited={edited} isOff={isOff === true} />
          {edit && flag.data?.state && (
            <FlagFields
              key={environment}
              {...{ edit, offered, place, errors }}
              segmentNames={names}
              conflicts={edited.conflicts}
              onChange={edited.write}
            />
          )}
        </div>
        {edit && (
          <Effect
            {...{ place, preview, names, same }}
            isEdited={changes.length > 0}
            problems={[...errors.values()].map((message) => ({ message }))}
          >
            <div class="steps">
              <ProposeButton proposal={proposal} />
              {changes.length > 0 && (
                <Button kind="quiet" icon="undo" onClick={edited.startOver}>
                  Start over
                </Button>
              )}
            </div>
          </Effect>
        )}
      </div>
      {changes.length > 0 && (
        <section class="dock" aria-label="To the proposal">
          <p class="flow small">
            <EnvironmentMark name={environment} />
            <span>
              {preview.shown?.targets.map(({ key, changes, implied }) => (
                <RichText key={key} words={effectWords(changes, implied)} />
              ))}
            </span>
          </p>
          <ProposeButton proposal={proposal} />
        </section>
      )}
      {proposal.isOpen && (
        <Propose
          place={place}
          draftName={`${project} ${environment} ${feature}`}
          targets={preview.shown?.targets ?? []}
          send={(call) => edited.send(changes, call)}
          onSent={edited.startOver}
          onClose={proposal.close}
        />
      )}
    </>
  )
}

const nothing: readonly never[] = []
const noNames = {}
const noErrors: ReadonlyMap<string, string> = new Map()

/** Whether the edit can be proposed now, and the window for it. */
function useProposal({ changes, conflicts }: EditedFlag, preview: PreviewState, errors: ReadonlyMap<string, string>) {
  const [isOpen, setOpen] = useState(false)
  const reason =
    conflicts.length > 0
      ? 'Choose between your values and the current ones first.'
      : errors.size > 0
        ? 'Correct what is marked first.'
        : ''
  const isReady = changes.length > 0 && reason === '' && preview.shown !== undefined
  return { isOpen, isReady, reason, open: () => setOpen(true), close: () => setOpen(false) }
}

function ProposeButton({ proposal }: { readonly proposal: ReturnType<typeof useProposal> }) {
  const { isReady, reason, open } = proposal
  const id = useId()
  return (
    <>
      <Button kind="primary" size="wide" icon="send" off={!isReady} aria-describedby={reason && id} onClick={open}>
        Propose…
      </Button>
      {reason && (
        <p class="fine" id={id}>
          {reason}
        </p>
      )}
    </>
  )
}

interface StateNoticesProps {
  readonly place: FlagPlace
  readonly edited: EditedFlag
  /** Change requests are disabled there. */
  readonly isOff: boolean
}

/** What is so about the flag or its edit that its fields do not show. */
function StateNotices({ place: { environment }, edited, isOff }: StateNoticesProps) {
  const { flag, actions, edit, followed, noteFollowed, isElsewhere } = edited
  const { data } = flag
  return (
    <>
      {data === undefined ? (
        <NotLoaded loaded={flag} subject="the flag" />
      ) : (
        flag.error && <LoadFailed loaded={flag} subject="the flag" />
      )}
      {data && <LoadFailed loaded={actions} subject="what can be changed" />}
      {data?.state === null && (
        <Notice tone="plain" icon="info" title="The current values are unknown">
          The host app has no flag gateway, so there is nothing to edit here.
        </Notice>
      )}
      {data?.state?.archived && (
        <Notice tone="plain" icon="inbox" title="This flag is archived">
          It is archived in all environments, and cannot be edited.
        </Notice>
      )}
      {isOff && (
        <Notice tone="plain" icon="lock" title="Change requests are disabled here">
          Nothing can be proposed in <bdi>{environment}</bdi>.
        </Notice>
      )}
      <div role="status">
        {isElsewhere && (
          <Notice tone="care" icon="info" title="You have this flag open in another tab">
            Each tab has its own edit.
          </Notice>
        )}
        {edit && followed.length > 0 && (
          <Notice
            tone="info"
            icon="refresh"
            title="The flag was edited in the meantime"
            actions={<Button onClick={noteFollowed}>OK</Button>}
          >
            <ul>
              {followed.map(({ path, before, now }) => (
                <li key={path}>
                  <bdi>{fieldName(path, edit)}</bdi>: was <bdi>{named(before)}</bdi>, now <bdi>{named(now)}</bdi>
                </li>
              ))}
            </ul>
          </Notice>
        )}
      </div>
    </>
  )
}

const named = (value: Json): string => (isBlank(value) ? 'none' : shown(value))

/** `Nordics, rollout` */
function fieldName(path: string, { base, own }: FlagEdit): string {
  const [list = '', id, ...inside] = namesIn(path)
  const strategy = listOf(list === 'strategies' && [...listOf(own.strategies), ...listOf(base.strategies)])
    .map(objectOf)
    .find((one) => one.id === id)
  const names = strategy
    ? [strategyName(strategy, null), ...inside]
    : [list, ...(id === undefined ? [] : [id]), ...inside]
  return names
    .filter((name) => name !== 'parameters')
    .map((name, at) => (strategy && at === 0 ? name : labelOf(name)))
    .join(', ')
}
