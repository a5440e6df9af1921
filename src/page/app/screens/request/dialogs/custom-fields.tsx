import { useMemo, useState } from 'preact/hooks'
import type { CustomFieldsUpdate, CustomFieldsView } from '../../../../../generated'
import { problemsOf } from '../../../core/api/answers'
import { client } from '../../../core/api/session'
import { CustomFieldsForm } from '../../../parts/controls/custom-fields-form'
import { voidedBy } from '../../../reviews/voids'
import { fieldLabel } from '../../../words/custom-fields'
import { isSame } from '../../../words/json'
import { fieldErrors, typedOf, valuesOf } from '../../../words/typed-fields'
import { useStep } from '../use-step'
import { type DialogProps, StepDialog } from './step-dialog'

/** Sets the custom fields of the host app. */
export function CustomFieldsDialog(props: DialogProps) {
  const { customFields } = props.review
  return customFields && <Form {...props} {...customFields} />
}

function Form({
  request,
  review,
  actions,
  onClose,
  schema,
  values,
}: DialogProps & Pick<CustomFieldsView, 'schema' | 'values'>) {
  const isUnset = Object.keys(values).length === 0
  const [typed, setTyped] = useState(() => typedOf(schema, isUnset ? undefined : values))
  const step = useStep<[CustomFieldsUpdate]>(actions, {
    run: (write, next) => client.setCustomFields(request, next, write),
    doneMessage: 'The fields were changed.',
    isDone: (latest, _before, next) => isSame(latest.review.customFields?.values, next),
    updatesContent: true,
    onDone: onClose,
  })
  const errors = useMemo(() => fieldErrors(problemsOf(step.outcome)), [step.outcome])
  const unknown = Object.keys(values).filter((name) => !Object.hasOwn(schema.properties, name))
  const voids = voidedBy(review)
  return (
    <StepDialog
      title="Fields"
      request={request}
      actions={actions}
      subtitle={voids && <p class="small">{voids}</p>}
      submitLabel="Save"
      busyLabel="Saving…"
      icon="check"
      cancelLabel="Leave it"
      step={{ ...step, press: () => step.press(valuesOf(schema, typed)) }}
      verb="set its fields"
      keptMessage="What you typed is kept."
      onClose={onClose}
    >
      <CustomFieldsForm {...{ schema, typed, errors }} onType={setTyped} />
      {unknown.length > 0 && (
        <p class="fine">
          Saving removes what is no longer asked for:{' '}
          {unknown.map((name) => (
            <bdi key={name}>{fieldLabel(schema, name)} </bdi>
          ))}
        </p>
      )}
    </StepDialog>
  )
}
