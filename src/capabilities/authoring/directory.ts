import type { Place } from '../../domain/rules/condition'
import { callHook, describeValue, invalidHookResult } from '../../kernel/host/hooks'
import { createPermissionCheck } from '../../kernel/host/permissions'
import { listSettings } from '../../kernel/host/settings'
import type { Services } from '../../kernel/services'
import type { Caller } from '../../kernel/step/step-input'
import type { ContextField, NamedSegment } from '../../ports/directory'

const maxFound = 20
const maxFields = 200
const maxValues = 1_000

/** The names of flags that the host app finds, at most 20; null if it cannot search. */
export async function searchFlags(services: Services, { query, ...place }: Place & { readonly query: string }) {
  const ask = services.directory.searchFeatures?.bind(services.directory, query, place)
  const found = await listFrom(services, 'directory.searchFeatures', ask, isText, 'a list of names of flags')
  return found?.slice(0, maxFound) ?? null
}

/** The same for segments. */
export async function searchSegments(
  services: Services,
  { query, project }: { readonly query: string; readonly project: string },
) {
  const ask = services.directory.searchSegments?.bind(services.directory, query, { project })
  const found = await listFrom(services, 'directory.searchSegments', ask, isSegment, 'a list of { id, name }')
  return found?.slice(0, maxFound).map(({ id, name }) => ({ id, name })) ?? null
}

/** Null if the host app does not return them. */
export async function findContextFields(services: Services, project: string) {
  const ask = services.directory.contextFields?.bind(services.directory, { project })
  const expected = 'a list of { name, description?, legalValues?, stickiness? }'
  const found = await listFrom(services, 'directory.contextFields', ask, isContextField, expected)
  const fields = found?.slice(0, maxFields).map(({ name, description, legalValues = [], stickiness = false }) => ({
    ...{ name, description: description ?? null, stickiness },
    legalValues: legalValues.length === 0 ? null : legalValues.slice(0, maxValues),
  }))
  return fields ?? null
}

/** Undefined without the hook. @throws UnknownError for an invalid result */
async function listFrom<Item>(
  services: Services,
  hook: string,
  ask: (() => Iterable<Item> | Promise<Iterable<Item>>) | undefined,
  isItem: (item: unknown) => item is Item,
  expected: string,
): Promise<readonly Item[] | undefined> {
  if (ask === undefined) return undefined
  const found: unknown = await callHook<unknown>(services, hook, ask)
  const isIterable = typeof found === 'object' && found !== null && Symbol.iterator in found
  const items = isIterable ? [...(found as Iterable<unknown>)] : undefined
  if (items?.every(isItem)) return items
  throw invalidHookResult(hook, describeValue(found), expected)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isSegment(value: unknown): value is NamedSegment {
  const { id, name } = (value ?? {}) as Partial<NamedSegment>
  return Number.isSafeInteger(id) && isText(name)
}

function isContextField(value: unknown): value is ContextField {
  const { name, description, legalValues, stickiness } = (value ?? {}) as Partial<ContextField>
  return (
    isText(name) &&
    (description == null || isText(description)) &&
    (legalValues === undefined || (Array.isArray(legalValues) && legalValues.every(isText))) &&
    (stickiness === undefined || typeof stickiness === 'boolean')
  )
}

const maxProjects = 50
const maxEnvironments = 20
/** Bound the calls of the host app for a caller who can propose hardly anywhere. */
const maxExamined = { projects: 500, environments: 100 }
const batchSize = 10

/** The projects and environments in which the caller can propose changes, by name. */
export async function findPlaces(
  services: Services,
  input: Pick<Caller, 'actor' | 'hasPermission'> & { readonly query: string | undefined },
) {
  const { directory, storage } = services
  const ask = directory.projects?.bind(directory)
  const known = await listFrom(services, 'directory.projects', ask, isText, 'a list of names of projects')
  const query = input.query?.toLowerCase() ?? ''
  const matching = (known ?? (await storage.projects())).filter((name) => name.toLowerCase().includes(query)).sort()
  const examined = matching.slice(0, maxExamined.projects)
  const found: Awaited<ReturnType<typeof findEnvironments>>[] = []
  for (let start = 0; start < examined.length && found.length <= maxProjects; start += batchSize) {
    const batch = examined.slice(start, start + batchSize).map((project) => findEnvironments(services, project, input))
    found.push(...(await Promise.all(batch)).filter(({ environments }) => environments.length > 0))
  }
  const isCut = examined.length < matching.length || found.length > maxProjects || found.some((one) => one.isCut)
  return {
    places: found.slice(0, maxProjects).map(({ project, environments }) => ({ project, environments })),
    complete: known !== undefined && directory.environments !== undefined && !isCut,
  }
}

async function findEnvironments(
  services: Services,
  project: string,
  { actor, hasPermission = createPermissionCheck(services, actor) }: Pick<Caller, 'actor' | 'hasPermission'>,
) {
  const all = (await listSettings(services, project)).sort((one, other) =>
    one.environment < other.environment ? -1 : 1,
  )
  const examined = all.slice(0, maxExamined.environments)
  const held = await Promise.all(
    examined.map(({ environment }) => hasPermission('CREATE_CHANGE_REQUEST', { project, environment })),
  )
  const open = examined.filter((_, index) => held[index])
  const environments = open.slice(0, maxEnvironments).map(({ environment: name, type, changeRequestsEnabled }) => ({
    ...{ name, type, changeRequestsEnabled },
  }))
  return { project, environments, isCut: examined.length < all.length || environments.length < open.length }
}
