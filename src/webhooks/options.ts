import { Agent as HttpAgent, validateHeaderName, validateHeaderValue } from 'node:http'
import type { Agent } from 'node:https'
import { checkOption, isNameList, maxDurationMs, refuseUnknownOptions } from '../check-options'
import type { EventType, EventView } from '../generated/index'
import { eventTypes } from '../generated/lists'
import { consumerNameText, isConsumerName, type LogFilter } from '../ports/consumers'

/**
 * A receiver of events.
 *
 * @example
 * ```ts
 * const audit: WebhookTarget = {
 *   name: 'audit',
 *   url: 'https://audit.example.com/events',
 *   secrets: [process.env['AUDIT_SECRET'] ?? ''],
 *   types: ['change-request-approved', 'change-request-applied'],
 * }
 * ```
 */
export interface WebhookTarget {
  /** The name of its consumer: 1 to 100 of the characters a to z, 0 to 9 and `-`. */
  readonly name: string
  /**
   * An https address without a user and password. http is accepted for `127.0.0.0/8`, `[::1]` and `localhost`. Redirects are
   * not followed.
   */
  readonly url: string
  /** `whsec_` and 24 to 64 bytes in base64, one or more. Each request has a signature for each of them, so that they can rotate. */
  readonly secrets: readonly string[]
  /** The types of events to send, or `'*'` for all. */
  readonly types: readonly EventType[] | '*'
  /** Only events of these projects. */
  readonly projects?: readonly string[]
  /** Only events of these environments. */
  readonly environments?: readonly string[]
  /** Only events of these flags. */
  readonly features?: readonly string[]
  /** Headers that are added to each request, such as `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The body: of Standard Webhooks, or CloudEvents 1.0 in structured JSON.
   * @defaultValue `'standard'`
   */
  readonly format?: 'standard' | 'cloudevents'
  /**
   * Returns the body instead of `format`, or a promise of it: any JSON, sent as returned. If it throws, returns anything else or
   * takes longer than 15 s, the event is retried.
   */
  readonly body?: (event: EventView) => unknown
  /**
   * The target stops after failing for this time, in milliseconds; at most 100 years.
   * @defaultValue `432000000`, 5 days
   */
  readonly stopAfterMs?: number
  /**
   * An agent of `node:https`, for addresses that users enter, or for a proxy. It is not destroyed.
   * @defaultValue one keep-alive agent for the target, destroyed by `router.close()`
   */
  readonly agent?: Agent
}

/**
 * Options of {@link webhooks}.
 *
 * @example
 * ```ts
 * const options: WebhooksOptions = { targets: [], apiUrl: 'https://flags.example/api/admin' }
 * ```
 */
export interface WebhooksOptions {
  /** The receivers. */
  readonly targets: readonly WebhookTarget[]
  /** The address of the API, with the base path. The body of a large event has the URL of the event. */
  readonly apiUrl?: string
}

/** A target with its defaults. */
export interface ResolvedTarget {
  readonly name: string
  readonly url: URL
  readonly keys: readonly Buffer[]
  readonly filter: LogFilter
  readonly headers: Readonly<Record<string, string>>
  readonly format: 'standard' | 'cloudevents'
  readonly body: WebhookTarget['body']
  readonly stopAfterMs: number
  readonly agent: Agent | undefined
  readonly apiUrl: string | undefined
}

const owner = 'webhooks'
const known: readonly string[] = [
  'name',
  'url',
  'secrets',
  'types',
  'projects',
  'environments',
  'features',
  'headers',
  'format',
  'body',
  'stopAfterMs',
  'agent',
]
const fiveDaysMs = 5 * 24 * 60 * 60 * 1_000
const ownHeaders = /^(?:host|connection|transfer-encoding|content-.*|webhook-.*)$/i
const types: ReadonlySet<unknown> = new Set(eventTypes)

/** @throws TypeError that names the target and the property, and none of its values */
export function resolveTargets(options: WebhooksOptions): ResolvedTarget[] {
  refuseUnknownOptions(owner, options, ['targets', 'apiUrl'])
  const { targets, apiUrl } = options
  checkOption(owner, 'targets', Array.isArray(targets), 'a list of targets')
  const isUrl = apiUrl === undefined || isAddress(parseUrl(apiUrl), ['http:', 'https:'])
  checkOption(owner, 'apiUrl', isUrl, 'an http or https address without a user and password')
  const names = new Set<unknown>()
  return targets.map((target, index) => {
    const name = (target as Partial<WebhookTarget> | null)?.name
    checkOption(owner, `targets[${index}].name`, isConsumerName(name), consumerNameText)
    checkOption(owner, `targets[${index}].name`, !names.has(name), 'different from the names of the other targets')
    names.add(name)
    return resolveTarget(target, apiUrl?.replace(/\/$/, ''))
  })
}

function resolveTarget(target: WebhookTarget, apiUrl: string | undefined): ResolvedTarget {
  const place = `${owner}: target "${target.name}"`
  refuseUnknownOptions(place, target, known)
  const check = (property: keyof WebhookTarget, fits: boolean, expected: string) =>
    checkOption(place, property, fits, expected)
  const { headers = {}, format = 'standard', body, stopAfterMs = fiveDaysMs, agent } = target
  const url = parseUrl(target.url)
  check('url', isTarget(url), 'an https address without a user and password; http is accepted for loopback addresses')
  const keys = Array.isArray(target.secrets) ? target.secrets.map(keyOf) : []
  const areKeys = keys.length > 0 && keys.every((key) => key !== undefined)
  check('secrets', areKeys, 'a list of texts that begin with whsec_, each with 24 to 64 bytes in base64')
  const isList = Array.isArray(target.types) && target.types.length > 0
  const areTypes = target.types === '*' || (isList && target.types.every((type) => types.has(type)))
  check('types', areTypes, "a list of known event types, or '*'")
  for (const property of ['projects', 'environments', 'features'] as const) {
    check(property, target[property] === undefined || isNameList(target[property]), 'a list of names')
  }
  check('headers', areHeaders(headers), 'an object of header names and values')
  const taken = Object.keys(headers).find((name) => ownHeaders.test(name))
  check('headers', taken === undefined, `without "${taken}", which the request sets itself`)
  check('format', format === 'standard' || format === 'cloudevents', "'standard' or 'cloudevents'")
  check('body', body === undefined || typeof body === 'function', 'a function')
  check('body', body === undefined || target.format === undefined, 'absent with "format"')
  check('stopAfterMs', typeof stopAfterMs === 'number' && stopAfterMs > 0, 'a positive number of milliseconds')
  check('stopAfterMs', stopAfterMs <= maxDurationMs, `at most ${maxDurationMs} milliseconds`)
  check('agent', agent === undefined || agent instanceof HttpAgent, 'an agent of node:https')
  return {
    name: target.name,
    url: url as URL,
    keys: keys as Buffer[],
    filter: filterOf(target),
    headers,
    format,
    body,
    stopAfterMs,
    agent,
    apiUrl,
  }
}

function filterOf({ types, projects, environments, features }: WebhookTarget): LogFilter {
  return {
    ...(types !== '*' && { types }),
    ...(projects && { projects }),
    ...(environments && { environments }),
    ...(features && { features }),
  }
}

function parseUrl(text: unknown): URL | undefined {
  return typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
}

function isAddress(url: URL | undefined, protocols: readonly string[]): boolean {
  return url !== undefined && protocols.includes(url.protocol) && url.username === '' && url.password === ''
}

function isTarget(url: URL | undefined): boolean {
  if (isAddress(url, ['https:'])) return true
  const isLocal = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(url?.hostname ?? '')
  return isLocal && isAddress(url, ['http:'])
}

/** The bytes of a secret; undefined if it is malformed. */
function keyOf(secret: unknown): Buffer | undefined {
  const [, text = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(String(secret)) ?? []
  const key = Buffer.from(text, 'base64')
  return key.length >= 24 && key.length <= 64 && key.toString('base64') === text ? key : undefined
}

function areHeaders(headers: unknown): boolean {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return false
  try {
    for (const [name, value] of Object.entries(headers)) {
      validateHeaderName(name)
      validateHeaderValue(name, value)
    }
    return Object.values(headers).every((value) => typeof value === 'string')
  } catch {
    return false
  }
}
