import type { EventView } from '../generated/index'
import { ClientError } from './client-error'
import type { CallOptions } from './client-options'
import { type EventQuery, toParameters } from './event-calls'
import { maxTimerMs, pause, requireDuration } from './retry'
import type { Sender } from './send'

/** Options of {@link Client.follow}. */
export interface FollowOptions extends CallOptions {
  /**
   * Starts after this event; 0 starts with the oldest one. Without it, only new events are returned. Accepts the id of an event,
   * or `lastEventId` in the details of a {@link ClientError.isPositionLost}.
   */
  readonly lastEventId?: number | string | undefined
  /** Called when the stream is open, and when it is lost and will be reopened. */
  readonly onStatus?: (status: 'open' | 'lost') => void
  /** How long a connection without data counts as alive; the server sends a heartbeat every 15 s. @defaultValue 45_000 */
  readonly silenceMs?: number
  /** The pause before the first reconnect; it doubles up to 30 s. @defaultValue 1_000 */
  readonly retryMs?: number
}

const maxPauseMs = 30_000

/**
 * Yields new events, each once, ordered by id. Reconnects after the last event if the connection is lost. Ends when `signal`
 * aborts. @throws ClientError if a retry would not help, such as 401 or 403, or 409 if {@link ClientError.isPositionLost}
 */
export async function* followEvents(
  sender: Sender,
  filter: EventQuery,
  options: FollowOptions,
): AsyncGenerator<EventView, void, void> {
  const { signal, onStatus, retryMs = 1_000 } = options
  requireDuration('retryMs', retryMs)
  let position = options.lastEventId?.toString()
  let failures = 0
  let status: 'open' | 'lost' | undefined
  const report = (next: 'open' | 'lost') => {
    if (status !== next) onStatus?.(next)
    status = next
  }
  while (!signal?.aborted) {
    try {
      for await (const block of readStream(sender, filter, options, position)) {
        failures = 0
        report('open')
        position = block.id ?? position
        if (block.data !== undefined) yield JSON.parse(block.data)
      }
    } catch (error) {
      if (signal?.aborted) return
      if (!(error instanceof ClientError) || !error.isTemporary) throw error
    }
    if (signal?.aborted) return
    report('lost')
    await pause(Math.min(retryMs * 2 ** failures++, maxPauseMs), signal)
  }
}

interface Block {
  /** Opaque: the server adds to the id of the event what identifies the event. */
  readonly id: string | undefined
  readonly data: string | undefined
}

async function* readStream(
  sender: Sender,
  filter: EventQuery,
  { signal, silenceMs = 45_000 }: FollowOptions,
  position: string | undefined,
): AsyncGenerator<Block> {
  const connection = new AbortController()
  const abort = () => connection.abort()
  signal?.addEventListener('abort', abort)
  const waitMs = Math.min(requireDuration('silenceMs', silenceMs), maxTimerMs)
  let silence = setTimeout(abort, waitMs)
  try {
    const headers: Record<string, string> = position === undefined ? {} : { 'Last-Event-ID': position }
    const request = { query: toParameters(filter), headers, signal: connection.signal }
    const response = await sender.fetch('/search/events', 'text/event-stream', request)
    for await (const blocks of readBlocks(response, connection.signal)) {
      clearTimeout(silence)
      silence = setTimeout(abort, waitMs)
      yield* blocks
    }
  } catch (cause) {
    if (signal?.aborted || (cause instanceof ClientError && cause.name !== 'NetworkError')) throw cause
    throw new ClientError({ status: 0, name: 'NetworkError', message: 'The event stream was lost.', cause })
  } finally {
    clearTimeout(silence)
    signal?.removeEventListener('abort', abort)
    abort()
  }
}

/** The complete blocks of each received chunk. */
async function* readBlocks(response: Response, signal: AbortSignal): AsyncGenerator<Block[]> {
  const reader = response.body?.getReader()
  // Needed for a custom `fetch` that does not end the stream when the signal aborts.
  signal.addEventListener('abort', () => reader?.cancel().catch(() => undefined))
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const piece = await reader?.read()
    if (piece === undefined || piece.done) return
    const blocks = (rest + decoder.decode(piece.value, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    yield blocks.map(parseBlock)
  }
}

function parseBlock(block: string): Block {
  return { id: /^id: ?(.+)$/m.exec(block)?.[1], data: /^data: ?(.*)$/m.exec(block)?.[1] }
}
