import type { AuthorView, EventView } from '../../../../generated'
import { objectOf } from '../../words/json'
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

/** The machine in the data of an event of the router; undefined where a person acted. */
export function machineIn({ type, data }: Pick<EventView, 'type' | 'data'>): Machine | undefined {
  return type.startsWith('change-') ? (objectOf(data).actor as Machine | undefined) : undefined
}
