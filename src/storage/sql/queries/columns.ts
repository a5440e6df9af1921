import type { ChangeRequestColumns } from '../../../ports/storage/inspection'

interface Column {
  readonly column: string
  readonly type: 'text' | 'time' | 'boolean' | 'number'
}

/** The name and type of each column in the table of change requests. */
const columns: { readonly [Name in keyof ChangeRequestColumns]: Column } = {
  project: { column: 'project', type: 'text' },
  environment: { column: 'environment', type: 'text' },
  createdBy: { column: 'created_by', type: 'number' },
  createdAt: { column: 'created_at', type: 'time' },
  updatedAt: { column: 'updated_at', type: 'time' },
  state: { column: 'state', type: 'text' },
  stateSince: { column: 'state_since', type: 'time' },
  open: { column: 'open', type: 'boolean' },
  afterReview: { column: 'after_review', type: 'boolean' },
  wholeProject: { column: 'whole_project', type: 'boolean' },
  dueAt: { column: 'due_at', type: 'time' },
  scheduledAt: { column: 'scheduled_at', type: 'time' },
  held: { column: 'held', type: 'boolean' },
  applyingSince: { column: 'applying_since', type: 'time' },
}

export const columnNames = Object.entries(columns) as readonly (readonly [keyof ChangeRequestColumns, Column])[]
