import type { SegmentState } from '../flag-state'
import type { ActionTable, TargetPart } from './action'
import { copyOf, mergedProperties, none, restored } from './shared'

export const segmentActions = {
  updateSegment: {
    target: 'segment',
    scope: 'project',
    stage: 'change',
    phrase: (_payload, { subject }) => `Editing ${subject}`,
    conflict: missingSegment,
    hasSnapshot: true,
    targetPart: segmentPart,
    withPart: (_payload, part) => (part as SegmentState | null) ?? undefined,
    after: ({ id, ...payload }, segment) => segment && ({ ...segment, ...payload } as unknown as SegmentState),
    merged: mergedProperties,
    inverse: (payload, { snapshot }) => restored('updateSegment', payload, snapshot),
    effect: none,
  },
  deleteSegment: {
    target: 'segment',
    scope: 'project',
    stage: 'change',
    phrase: (_payload, { subject }) => `Deleting ${subject}`,
    conflict: missingSegment,
    hasSnapshot: true,
    targetPart: segmentPart,
    withPart: (_payload, part) => (part as SegmentState | null) ?? undefined,
    after: none,
    effect: none,
  },
} satisfies Partial<ActionTable>

function missingSegment(_payload: object, segment: SegmentState | undefined): string | undefined {
  return segment === undefined ? 'Segment has been deleted' : undefined
}

function segmentPart(_payload: object, segment: SegmentState | undefined): TargetPart {
  return segment === undefined ? null : copyOf(segment)
}
