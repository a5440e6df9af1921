/**
 * Recognizes events that the gateway has caused: the log already has its own events for them, with the user who applied. An event
 * of the server contains neither the apply nor the call. It is ours if its author is the token of the gateway, its time is
 * during an apply, and it is about a flag or segment of that apply.
 *
 * @param {{ createdByUserId: number, createdBy?: string }} self The author of the gateway's writes.
 * @param {object[]} attempts Applies in the ledger that may have caused one of the events.
 * @returns {(event: object) => boolean}
 */
function ownEvents(self, attempts) {
  const known = attempts.map(({ afterEvent, lastEvent, steps }) => ({
    from: afterEvent,
    to: lastEvent ?? Number.POSITIVE_INFINITY,
    ...subjectsOf(steps),
  }))
  return (event) =>
    isBy(self, event) &&
    known.some(({ from, to, ...each }) => event.id > from && event.id <= to && isAbout(event, each))
}

function isBy({ createdBy, createdByUserId }, event) {
  return event.createdByUserId === createdByUserId && (createdBy === undefined || event.createdBy === createdBy)
}

function subjectsOf(steps) {
  const segments = steps.filter(({ segment }) => segment !== undefined)
  return {
    flags: new Set(steps.flatMap(({ feature, features }) => features ?? feature ?? [])),
    // A segment that is restored after its deletion has the same name and another id.
    segments: new Set(segments.flatMap(({ segment, before }) => [segment, before.name])),
  }
}

function isAbout({ type, featureName, data, preData }, { flags, segments }) {
  if (!type.startsWith('segment-')) return flags.has(featureName)
  const { id, name } = preData ?? data ?? {}
  return segments.has(id) || segments.has(name)
}

module.exports = { ownEvents }
