import { type Client, ClientError, createClient } from '../../client/index'
import { createSender, type Sender } from '../../client/send'
import type { ReviewView } from '../../generated/index'
import { type ProcessIo, printable, UsageError } from '../command'

export const apiOptions = {
  url: { type: 'string' },
  project: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const apiHelp = `  --url <url>        the URL of the router with its base path: https://flags.example/api/admin
                     default: CHANGE_REQUESTS_URL. The key comes from CHANGE_REQUESTS_KEY.
  --project <name>   the project of the change request
  --json             prints one JSON object {id, url, state, missing} on stdout, and progress on stderr
`

export const exitCodes = {
  done: 0,
  failed: 1,
  waiting: 3,
  ended: 4,
  blocked: 5,
} as const

export const exitHelp = `Exit codes: 0 done, 1 error, 2 wrong usage, 3 still waiting at the timeout, 4 rejected, cancelled
or discarded, 5 blocked: a conflict, an overwrite, a missing approval or permission, or new content.
`

export interface Place {
  readonly project: string
  readonly id: number
}

export interface Api {
  readonly client: Client
  /** For what the client has no call. */
  readonly sender: Sender
  /** On the review page, if the router knows where that is; else in the API. */
  urlOf(place: Place, review: ReviewView | undefined): string
}

/** How long the server may take until it responds, and to send a body. */
const responseMs = 30_000

export function openApi(values: { readonly url?: string }, { env }: Pick<ProcessIo, 'env'>): Api {
  const api = values.url ?? env.CHANGE_REQUESTS_URL
  if (!api) throw new UsageError('Set the URL of the router with --url or CHANGE_REQUESTS_URL.')
  if (!URL.canParse(api) || !/^https?:$/.test(new URL(api).protocol)) {
    throw new UsageError('--url must be a URL that begins with https:// or http://.')
  }
  const key = env.CHANGE_REQUESTS_KEY
  if (!key) throw new UsageError('Set the API key with the variable CHANGE_REQUESTS_KEY.')
  const base = api.replace(/\/+$/, '')
  const options = { api: base, key, fetch: boundedFetch }
  return {
    client: createClient(options),
    sender: createSender(options),
    // `pageUrl` can be a path on the host of the API.
    urlOf: ({ project, id }, review) =>
      review?.url === undefined
        ? `${base}/projects/${encodeURIComponent(project)}/change-requests/${id}`
        : new URL(review.url, base).href,
  }
}

/** A stream has no end, so only its beginning is bounded. */
async function boundedFetch(url: string, init: RequestInit): Promise<Response> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(new Error('The server did not respond in time.')), responseMs)
  const signal = init.signal ? AbortSignal.any([init.signal, timeout.signal]) : timeout.signal
  const isStream = new Headers(init.headers).get('accept') !== 'application/json'
  try {
    const response = await fetch(url, { ...init, signal })
    if (isStream) return response
    const body = await response.arrayBuffer()
    // A response with the status 204 must not have a body.
    return new Response(body.byteLength === 0 ? null : body, response)
  } finally {
    clearTimeout(timer)
  }
}

export function requireProject({ project }: { readonly project?: string }): string {
  if (!project) throw new UsageError('Set the project with --project.')
  return project
}

/** The change request that the arguments name. @throws UsageError */
export function requirePlace(command: string, values: { readonly project?: string }, positionals: readonly string[]) {
  const project = requireProject(values)
  const [id = '', ...rest] = positionals
  if (!/^[1-9]\d{0,14}$/.test(id) || rest.length > 0) {
    throw new UsageError(`${command} needs the id of one change request: express-change-requests ${command} 12`)
  }
  return { project, id: Number(id) }
}

const blocking = [403, 409, 412, 428]

export async function withApiErrors(io: ProcessIo, work: () => Promise<number>, changes: unknown = []) {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    io.error(`${printable(withoutKey(describeRejection(error, [changes].flat()), io))}\n`)
    return blocking.includes(error.status) ? exitCodes.blocked : exitCodes.failed
  }
}

function describeRejection({ message, details }: ClientError, changes: readonly unknown[]): string {
  const listed = details.map((detail) => {
    const { path, message: sentence } = detail
    const [, index, field] = /^\/body(?:\/(\d+))?((?:\/[^/]+)*)$/.exec(path ?? '') ?? []
    if (path === undefined) return sentence
    if (/^\/(?:projects|.*\/projects)\//.test(path)) return `${sentence} ${path}`
    const change = changes[Number(index ?? 0)] as { feature?: unknown } | undefined
    const place = [typeof change?.feature === 'string' ? change.feature : '', field ?? ''].filter((part) => part !== '')
    return `${place.join(', ') || path}: ${sentence}`
  })
  return [message, ...listed.filter((line) => line !== message).map((line) => `  ${line}`)].join('\n')
}

function withoutKey(text: string, { env }: Pick<ProcessIo, 'env'>): string {
  const key = env.CHANGE_REQUESTS_KEY
  return key ? text.replaceAll(key, '***') : text
}
