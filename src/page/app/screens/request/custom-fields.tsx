import { useMe } from '../../core/api/session'
import { Button } from '../../parts/controls/button'
import { fieldLabel, valueText } from '../../words/custom-fields'
import { Linked } from './comment'
import type { RequestProps } from './use-request'

/** The values of the custom fields. Their author can set them before the approval. */
export function CustomFields({ request, review, actions }: Pick<RequestProps, 'request' | 'review' | 'actions'>) {
  const me = useMe()
  const { customFields, state } = review
  if (customFields === null) return null
  const { schema, values } = customFields
  const entries = Object.entries(values)
  const isSettable = me.id === request.createdBy.id && (state === 'Draft' || state === 'In review')
  if (entries.length === 0 && !isSettable) return null
  return (
    <div class="flow small">
      {entries.length > 0 && (
        <dl class="flow pairs">
          {entries.map(([name, value]) => (
            <div key={name}>
              <dt class="soft">
                <bdi>{fieldLabel(schema, name)}</bdi>
              </dt>
              <dd>{typeof value === 'string' ? <Linked text={value} /> : valueText(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {isSettable && (
        <Button kind="quiet" size="tiny" icon="pencil" onClick={() => actions.open('customFields')}>
          {entries.length === 0 ? 'Fill in the fields…' : 'Edit the fields…'}
        </Button>
      )}
    </div>
  )
}
