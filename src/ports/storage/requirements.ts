import type { Storage } from './storage'

/** The version of the port that this release calls. */
export const storagePortVersion: Storage['portVersion'] = 1

type RequiredMethod = {
  [Name in keyof Storage]-?: Storage[Name] extends (...given: never[]) => unknown ? Name : never
}[keyof Storage]

/** Typed by the interface: the compiler reports missing and unknown methods. */
const required: { readonly [Name in RequiredMethod]: true } = {
  migrate: true,
  health: true,
  close: true,
  failureOf: true,
  nextIds: true,
  loadProposal: true,
  find: true,
  list: true,
  listById: true,
  summaries: true,
  countByState: true,
  countGroups: true,
  reviews: true,
  due: true,
  dueTimes: true,
  hold: true,
  interrupted: true,
  projects: true,
  findSettings: true,
  settings: true,
  findIdempotencyRecord: true,
  commit: true,
  commitSettings: true,
  appendEvents: true,
  eventHead: true,
  eventPage: true,
  searchEvents: true,
  eventsPerDay: true,
  eventCreators: true,
  eventTraces: true,
  gauges: true,
}

/** The methods that every storage has, for the check at construction. */
export const requiredStorageMethods: readonly string[] = Object.keys(required)
