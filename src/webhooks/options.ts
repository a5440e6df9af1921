import { Agent as HttpAgent, validateHeaderName, validateHeaderValue } from 'node:http'
import type { Agent } from 'node:https'
import {
  aFunction,
  checkOption,
  checkOptions,
  each,
  isNameList,
  maxDurationMs,
  must,
  type OptionTable,
  oneOf,
  optional,
} from '../check-options'
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
  /**
   * `whsec_` and 24 to 64 bytes in base64, one or more. Each request has a signature for each of them, so that they can rotate.
   * Required, except for the formats `slack` and `teams`, whose `url` is a secret itself.
   */
  readonly secrets?: readonly string[]
  /**
   * The types of events to send, or `'*'` for all. Required, except for the formats `slack` and `teams`.
   * @defaultValue for `slack` and `teams`: sent to review, approved, rejected, applied, and schedules that were suspended or failed
   */
  readonly types?: readonly EventType[] | '*'
  /** Only events of these projects. */
  readonly projects?: readonly string[]
  /** Only events of these environments. */
  readonly environments?: readonly string[]
  /** Only events of these flags. */
  readonly features?: readonly string[]
  /** Headers that are added to each request, such as `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The body: of Standard Webhooks, CloudEvents 1.0 in structured JSON, or a message for an incoming webhook of Slack or a
   * webhook of the Workflows app of Teams.
   * @defaultValue `'standard'`
   */
  readonly format?: 'standard' | 'cloudevents' | 'slack' | 'teams'
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
export type ResolvedTarget = ReturnType<typeof resolveTarget>

const owner = 'webhooks'
const fiveDaysMs = 5 * 24 * 60 * 60 * 1_000
const ownHeaders = /^(?:host|connection|transfer-encoding|content-.*|webhook-.*)$/i
const types: ReadonlySet<unknown> = new Set(eventTypes)

/** What people act on; the rest of the log would be noise in a channel. */
const chatTypes: readonly EventType[] = [
  'change-request-sent-to-review',
  'change-request-approved',
  'change-request-rejected',
  'change-request-applied',
  'change-request-schedule-suspended',
  'change-request-scheduled-application-failure',
]

const optionTable: OptionTable<WebhooksOptions> = {
  targets: must(Array.isArray, 'a list of targets'),
  apiUrl: optional(
    must(
      (url) => isAddress(parseUrl(url), ['http:', 'https:']),
      'an http or https address without a user and password',
    ),
  ),
}

const names = optional(must(isNameList, 'a list of names'))
const targetTable: OptionTable<WebhookTarget> = {
  // Checked before, because it is in the messages.
  name: () => undefined,
  url: must(
    (url) => isTarget(parseUrl(url)),
    'an https address without a user and password; http is accepted for loopback addresses',
  ),
  secrets: must((secrets = [], { format }: WebhookTarget) => {
    const isList = Array.isArray(secrets) && (secrets.length > 0 || isChat(format))
    return isList && secrets.every((secret) => keyOf(secret) !== undefined)
  }, 'a list of texts that begin with whsec_, each with 24 to 64 bytes in base64'),
  types: must((listed, { format }: WebhookTarget) => {
    if (listed === '*' || (listed === undefined && isChat(format))) return true
    return isNameList(listed) && (listed as string[]).every((type) => types.has(type))
  }, "a list of known event types, or '*'"),
  projects: names,
  environments: names,
  features: names,
  headers: optional(
    each(must(areHeaders, 'an object of header names and values'), (headers) => {
      const taken = Object.keys(headers as object).find((name) => ownHeaders.test(name))
      return taken === undefined ? undefined : `without "${taken}", which the request sets itself`
    }),
  ),
  format: optional(oneOf('standard', 'cloudevents', 'slack', 'teams')),
  body: optional(
    each(
      aFunction(),
      must((_, { format }: WebhookTarget) => format === undefined, 'absent with "format"'),
    ),
  ),
  stopAfterMs: optional(
    each(
      must((value) => typeof value === 'number' && value > 0, 'a positive number of milliseconds'),
      must((value) => Number(value) <= maxDurationMs, `at most ${maxDurationMs} milliseconds`),
    ),
  ),
  agent: optional(must((agent) => agent instanceof HttpAgent, 'an agent of node:https')),
}

/** @throws TypeError that names the target and the property, and none of its values */
export function resolveTargets(options: WebhooksOptions): ResolvedTarget[] {
  checkOptions(owner, options, optionTable)
  const { targets, apiUrl } = options
  const names = new Set<unknown>()
  return targets.map((target, index) => {
    const name = (target as Partial<WebhookTarget> | null)?.name
    checkOption(owner, `targets[${index}].name`, isConsumerName(name), consumerNameText)
    checkOption(owner, `targets[${index}].name`, !names.has(name), 'different from the names of the other targets')
    names.add(name)
    return resolveTarget(target, apiUrl?.replace(/\/$/, ''))
  })
}

function resolveTarget(target: WebhookTarget, apiUrl: string | undefined) {
  const place = `${owner}: target "${target.name}"`
  checkOptions(place, target, targetTable)
  const { headers = {}, format = 'standard', body, stopAfterMs = fiveDaysMs, agent } = target
  const { types = chatTypes, projects, environments, features } = target
  const filter: LogFilter = {
    ...(types !== '*' && { types }),
    ...(projects && { projects }),
    ...(environments && { environments }),
    ...(features && { features }),
  }
  const keys = (target.secrets ?? []).map(keyOf) as Buffer[]
  return {
    name: target.name,
    url: new URL(target.url),
    keys,
    filter,
    headers,
    format,
    body,
    stopAfterMs,
    agent,
    apiUrl,
  }
}

/** Whether the body is a message for people. */
export function isChat(format: WebhookTarget['format']): format is 'slack' | 'teams' {
  return format === 'slack' || format === 'teams'
}

function parseUrl(text: unknown): URL | undefined {
  return typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
}

function isAddress(url: URL | undefined, protocols: readonly string[]): boolean {
  return url !== undefined && protocols.includes(url.protocol) && url.username === '' && url.password === ''
}

function isTarget(url: URL | undefined): boolean {
  const isLocal = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(url?.hostname ?? '')
  return isAddress(url, isLocal ? ['https:', 'http:'] : ['https:'])
}

/** Undefined if the secret is malformed. */
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
