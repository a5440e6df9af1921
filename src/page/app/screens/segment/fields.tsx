import { Button } from '../../parts/controls/button'
import { TextField } from '../../parts/controls/field'
import { MoreMenu } from '../../parts/controls/menu'
import { Notice } from '../../parts/messages/notice'
import { textIn } from '../../words/json'
import { Constraints } from '../flag/fields/constraints'
import { Edited, Shown } from '../flag/fields/edited'
import {
  Editing,
  type EditingProps,
  errorAt,
  type Part,
  schemaOf,
  useEditing,
  useEditingOf,
} from '../flag/fields/editing'
import { withOwn } from '../flag/model/edit'
import { deletion } from './changes'
import '../flag/fields/fields.css'

interface SegmentFieldsProps extends EditingProps, Pick<Part, 'errors' | 'conflicts'> {
  readonly id: number
}

/** The controls of a segment, each for what the caller can propose; all else is shown as text. */
export function SegmentFields({ errors, conflicts, id, ...props }: SegmentFieldsProps) {
  const editing = useEditingOf(props)
  const { edit } = props
  const part = { edit, errors, conflicts }
  const isDeleting = edit.others !== undefined && edit.others.length > 0
  return (
    <Editing value={editing}>
      <div class="flag-fields stack">
        {isDeleting && (
          <Notice
            tone="care"
            icon="trash"
            title="This deletes the segment in all environments"
            actions={
              <Button icon="undo" onClick={() => editing.change((one) => ({ ...one, others: undefined }))}>
                Undo deleting
              </Button>
            }
          >
            Nothing else of it is proposed.
          </Notice>
        )}
        <section class="panel part stack" aria-label="Segment" inert={isDeleting}>
          <Text part={part} name="name" label="Name" />
          <Text part={part} name="description" label="Description" />
          <Constraints
            part={part}
            path="/constraints"
            value={edit.own.constraints}
            schema={schemaOf(editing, '/constraints', 'updateSegment', 'constraints')}
          />
        </section>
        {!isDeleting && schemaOf(editing, '', 'deleteSegment') && (
          <MoreMenu
            label="Delete the segment"
            help="In all environments. A segment that a flag uses cannot be deleted."
            onChoose={() => editing.change((one) => ({ ...one, others: [deletion(id)] }))}
          />
        )}
      </div>
    </Editing>
  )
}

interface TextProps {
  readonly part: Part
  readonly name: string
  readonly label: string
}

function Text({ part, name, label }: TextProps) {
  const editing = useEditing()
  const path = `/${name}`
  const value = textIn(part.edit.own, name)
  if (schemaOf(editing, path, 'updateSegment', name) === undefined) {
    return value === '' ? null : <Shown label={label}>{value}</Shown>
  }
  return (
    <Edited part={part} path={path} name={name}>
      <TextField
        label={label}
        error={errorAt(part, path)}
        value={value}
        onText={(text) => editing.change((one) => withOwn(one, path, text))}
      />
    </Edited>
  )
}
