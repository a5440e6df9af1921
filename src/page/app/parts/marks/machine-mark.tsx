import type { AuthorView } from '../../../../generated'
import { isObject } from '../../words/json'
import { Mark } from './mark'
import { PersonName } from './person'

type Machine = Pick<AuthorView, 'kind' | 'onBehalfOf'>

/** The kind of a machine and the person for whom it acted; nothing for a person. */
export function MachineMark({ author: { kind, onBehalfOf } }: { readonly author: Machine }) {
  if (kind === 'person') return null
  return (
    <>
      {' '}
      <Mark tone="plain">{kind === 'agent' ? 'Agent' : 'Service'}</Mark>
      {onBehalfOf && (
        <span class="muted small">
          {' '}
          on behalf of <PersonName person={onBehalfOf} />
        </span>
      )}
    </>
  )
}

/** The machine in the data of an event; undefined where a person acted. */
export function machineIn(data: unknown): Machine | undefined {
  const actor = isObject(data) ? data.actor : undefined
  if (!isObject(actor) || (actor.kind !== 'service' && actor.kind !== 'agent')) return undefined
  const { kind, onBehalfOf } = actor
  if (!isObject(onBehalfOf) || typeof onBehalfOf.id !== 'number') return { kind, onBehalfOf: null }
  const username = typeof onBehalfOf.username === 'string' ? onBehalfOf.username : null
  return { kind, onBehalfOf: { id: onBehalfOf.id, username } }
}
