import type { Day } from '../plot/days'
import type { ShownFilter, ValueField } from './filter'
import type { Names } from './filter-words'

/** Values of a filter that are known to occur. */
export type Suggestions = Readonly<Partial<Record<ValueField, readonly string[]>>>

export interface FilterFormProps {
  readonly adding: ValueField | 'days'
  readonly filter: ShownFilter
  readonly names: Names
  readonly suggestions: Suggestions
  readonly today: Day
  /** The zone of days. */
  readonly zone: string
  readonly onFilter: (filter: ShownFilter) => void
  readonly onClose: () => void
}
