import { segmentsIn } from '../../domain/content/mentions'
import type { FeatureState } from '../../domain/flag-state'
import { ChangeRequestError } from '../../errors'
import { currentFlags, namesOfSegments } from '../../kernel/host/flag-state'
import { callHook, describeValue, invalidHookResult } from '../../kernel/host/hooks'
import { unknownFeatures } from '../../kernel/host/unknown-flags'
import type { Services } from '../../kernel/services'
import { type Targets, targetsOfFlag } from './targets'

const maxFound = 20

export interface FlagPlace {
  readonly project: string
  readonly environment: string
}

/** The names of flags that the host app finds, at most 20; null if it cannot search. */
export async function searchFlags(
  services: Services,
  { query, ...place }: FlagPlace & { readonly query: string },
): Promise<readonly string[] | null> {
  const { directory } = services
  if (directory.searchFeatures === undefined) return null
  const found = await callHook<unknown>(services, 'directory.searchFeatures', () =>
    directory.searchFeatures?.(query, place),
  )
  const isIterable = typeof found === 'object' && found !== null && Symbol.iterator in found
  const names = isIterable ? [...(found as Iterable<unknown>)] : undefined
  if (names?.every((name) => typeof name === 'string')) return names.slice(0, maxFound)
  throw invalidHookResult('directory.searchFeatures', describeValue(found), 'a list of names of flags')
}

/** The current state of a flag, for someone who is about to propose a change of it. */
export interface KnownFlag {
  readonly name: string
  /** Null without a gateway. */
  readonly state: FeatureState | null
  /** The current names of the segments that its strategies use. */
  readonly segmentNames: ReadonlyMap<number, string>
  readonly targets: Targets
}

/** @throws NotFoundError for a flag that the directory or the gateway does not know. */
export async function findFlag(
  services: Services,
  { name, project, environment }: FlagPlace & { readonly name: string },
): Promise<KnownFlag> {
  const unknown = await unknownFeatures(services, project, [{ feature: name }])
  const found =
    unknown.length > 0
      ? undefined
      : await currentFlags(services, { project, environment, features: [name], segments: [] })
  const isKnown = unknown.length === 0 && (services.flags === null || found?.features.has(name) === true)
  if (!isKnown) throw new ChangeRequestError('NotFoundError', `The project has no flag named ${name}.`)
  const state = found?.features.get(name) ?? null
  const mentioned = [...new Set(state?.strategies?.flatMap(segmentsIn))]
  const segmentNames = await namesOfSegments(services, { project, environment }, mentioned)
  return { name, state, segmentNames, targets: found === undefined ? {} : targetsOfFlag(name, found) }
}
