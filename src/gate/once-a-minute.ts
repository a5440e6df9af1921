import type { Logger } from '../ports/logger'

const pauseMs = 60_000

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
