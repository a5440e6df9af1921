import { consoleLogger } from '../../options/console-logger'
import type { Logger } from '../../ports/logger'
import { textOfThrown } from './hooks'

const maxErrorLength = 1_000
const pauseMs = 60_000

/**
 * A logger that never throws and never rejects, whatever the logger of the host app does: a failed line must not fail the request
 * or the process. If the logger cannot write the error, which can be any value, it gets the text of it.
 */
export function safeLogger(logger: Logger): Logger {
  let hasFailed = false
  const report = (thrown: unknown) => {
    if (hasFailed) return
    hasFailed = true
    const text = `The option "logger" failed. Lines may be missing in the log. ${textOfThrown(thrown, maxErrorLength)}`
    consoleLogger.error({}, text)
  }
  const log = (level: keyof Logger) => (facts: { readonly err?: unknown }, message: string) => {
    const write = (written: object) => {
      // A logger of JavaScript may return a promise.
      const result: unknown = logger[level](written, message)
      if (result instanceof Promise) result.catch(report)
    }
    try {
      write(facts)
    } catch (thrown) {
      try {
        if (facts.err === undefined) throw thrown
        write({ ...facts, err: textOfThrown(facts.err, maxErrorLength) })
      } catch (again) {
        report(again)
      }
    }
  }
  return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
}

/** Logs at most one error per minute; the others are logged at the level `debug`. */
export function onceAMinute(logger: Logger, clock: () => Date): Logger {
  let loggedAt = Number.NEGATIVE_INFINITY
  return {
    debug: (facts, message) => logger.debug(facts, message),
    info: (facts, message) => logger.info(facts, message),
    warn: (facts, message) => logger.warn(facts, message),
    error(facts, message) {
      const now = clock().getTime()
      // A clock that was set back must not suppress errors.
      if (now >= loggedAt && now < loggedAt + pauseMs) return logger.debug(facts, message)
      loggedAt = now
      logger.error(facts, message)
    },
  }
}
