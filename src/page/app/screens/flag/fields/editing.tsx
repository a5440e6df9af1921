import { createContext } from 'preact'
import { useContext, useMemo, useRef, useState } from 'preact/hooks'
import type { ContextFieldsView } from '../../../../../generated'
import { useQuery } from '../../../core/api/query'
import type { SegmentNames } from '../../../words/fields/labels'
import type { JsonObject } from '../../../words/json'
import type { EditedField } from '../../authoring/model/merge'
import { type Offered, payloadSchema } from '../../authoring/model/payload'
import type { Schema } from '../../authoring/model/schema'
import { authoring } from '../../authoring/model/use-change'
import type { FlagEdit } from '../model/edit'

export interface EditingProps {
  readonly edit: FlagEdit
  readonly offered: readonly Offered[]
  readonly place: { readonly project: string; readonly environment: string; readonly feature?: string }
  readonly segmentNames?: SegmentNames
  /** The JSON pointer of the only part that can be edited, such as `/strategies/some-id`. */
  readonly only?: string | undefined
  readonly onChange: (next: FlagEdit) => void
}

type ContextField = NonNullable<ContextFieldsView['fields']>[number]

/** What all fields of the editor share; it stays the same while something is typed. */
interface Editing extends Pick<EditingProps, 'offered' | 'place' | 'only'> {
  readonly segmentNames: SegmentNames
  /** Null where the host app does not return them. */
  readonly contextFields: readonly ContextField[] | null
  /** A segment that was found by its name. */
  readonly nameSegment: (segment: { readonly id: number; readonly name: string }) => void
  /** Several changes in one event build on one another. */
  readonly change: (make: (edit: FlagEdit) => FlagEdit) => void
}

const EditingContext = createContext<Editing | undefined>(undefined)

export const Editing = EditingContext.Provider

export function useEditingOf({ edit, offered, place, segmentNames, only, onChange }: EditingProps): Editing {
  const latest = useRef({ edit, onChange })
  latest.current = { edit, onChange }
  const { project, environment, feature } = place
  const known = useQuery(['context-fields', project], (options) => authoring.contextFields(project, options))
  const contextFields = known.data?.fields ?? null
  const [found, setFound] = useState<SegmentNames>({})
  return useMemo(
    () => ({
      ...{ offered, place: { project, environment, feature }, only, contextFields },
      segmentNames: { ...found, ...segmentNames },
      nameSegment: ({ id, name }) => setFound((names) => ({ ...names, [id]: name })),
      change(make) {
        latest.current.edit = make(latest.current.edit)
        latest.current.onChange(latest.current.edit)
      },
    }),
    [offered, project, environment, feature, segmentNames, found, only, contextFields],
  )
}

export const useEditing = (): Editing => useContext(EditingContext) as Editing

/** The schema of a property of an action's payload; undefined where it cannot be edited. */
export function schemaOf({ offered, only }: Editing, path: string, action: string, name?: string): Schema | undefined {
  if (only !== undefined && path !== only && !path.startsWith(`${only}/`)) return undefined
  const found = offered.find((one) => one.action === action)
  const schema = found && (payloadSchema(found) ?? {})
  return name === undefined ? schema : schema?.properties?.[name]
}

/** A part of the edit with what is wrong with it. */
export interface Part {
  readonly edit: FlagEdit
  /** The messages of the server, by their paths in the edited state. */
  readonly errors: ReadonlyMap<string, string>
  readonly conflicts: readonly EditedField[]
  /** It was added here, so that nothing was there before. */
  readonly isNew?: boolean
}

/** The message for a value, or for the first one inside it. */
export function errorAt({ errors }: Pick<Part, 'errors'>, path: string, isExact = false): string | undefined {
  return errors.get(path) ?? (isExact ? undefined : [...errors].find(([one]) => one.startsWith(`${path}/`))?.[1])
}

/** The edit with another list or object at the name of its state. */
export function withPart(edit: FlagEdit, name: string, make: (part: unknown) => unknown): FlagEdit {
  return { ...edit, own: { ...edit.own, [name]: make(edit.own[name]) } as JsonObject }
}
