import { useMemo } from 'preact/hooks'
import { ChangeForm } from './change-form'
import { useChange } from './model/use-change'
import { type EditorProps, SaveDialog } from './save-dialog'

/** Edits a change in the form of its schema, or as JSON. What was typed is kept until it is saved. */
export function FormEditor(props: EditorProps) {
  const { request, first, now = first, draftName } = props
  const { project, environment } = request
  const initial = useMemo(
    () => ({ project, environment, feature: first.feature ?? '', action: first.action }),
    [project, environment, first],
  )
  const form = useChange(draftName, initial, now)
  return (
    <SaveDialog
      {...props}
      change={form.change}
      send={(change, call) => form.send(() => call(change))}
      onSaved={form.clear}
    >
      {(problems) => <ChangeForm form={form} problems={problems} />}
    </SaveDialog>
  )
}
