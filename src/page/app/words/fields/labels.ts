import { type Json, shown } from '../json'

/** Names of fields in words; a field that is not here is called by its own name. */
const labels: Readonly<Record<string, string>> = {
  enabled: 'Flag',
  archived: 'Flag',
  disabled: 'Strategy',
  name: 'Name',
  title: 'Title',
  description: 'Description',
  project: 'Project',
  sortOrder: 'Place',
  segments: 'Segments',
  rollout: 'Rollout',
  percentage: 'Rollout',
  stickiness: 'Stickiness',
  groupId: 'Group id',
  userIds: 'Users',
  IPs: 'IP addresses',
  hostNames: 'Hosts',
  templateId: 'Template',
  planId: 'Plan',
  milestoneId: 'Milestone',
  sourceMilestone: 'From milestone',
  targetMilestone: 'To milestone',
  weight: 'Share',
  weightType: 'Share is',
  payload: 'Payload',
  overrides: 'Overrides',
}

export function labelOf(name: string): string {
  return Object.hasOwn(labels, name) ? (labels[name] as string) : name
}

/** The names of segments by their ids, if the server knows them. */
export type SegmentNames = Readonly<Record<string, string>>

/** `segment “Beta testers”`; a segment whose name is unknown has its id. */
export function segmentWords(id: Json, names: SegmentNames = {}): string {
  const key = shown(id)
  return Object.hasOwn(names, key) ? `segment “${names[key]}”` : `segment ${key}`
}
