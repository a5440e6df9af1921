import type { SegmentState } from '../flag-state'
import type { ActionTable, TargetPart } from './action'
import { copyOf, mergedProperties, none, restored } from './shared'

const fields = ['name', 'description', 'project', 'constraints'] as const

export const segmentActions = {
  updateSegment: {
    target: 'segment',
    scope: 'project',
    stage: 'change',
    conflict: missingSegment,
    snapshot: (_payload, present) => present,
    targetPart: segmentPart,
    after: ({ id, ...payload }, present) => present && ({ ...present, ...payload } as unknown as SegmentState),
    merged: mergedProperties,
    inverse: (payload, { snapshot }) => restored('updateSegment', payload, snapshot, fields),
    effect: none,
  },
  deleteSegment: {
    target: 'segment',
    scope: 'project',
    stage: 'change',
    conflict: missingSegment,
    snapshot: (_payload, present) => present,
    targetPart: segmentPart,
    after: none,
    effect: none,
  },
} satisfies Partial<ActionTable>

function missingSegment(_payload: object, present: SegmentState | undefined): string | undefined {
  return present === undefined ? 'Segment has been deleted' : undefined
}

function segmentPart(_payload: object, present: SegmentState | undefined): TargetPart {
  return present === undefined ? null : copyOf(present)
}
