/** Converts an event of the server for the log, with its original id and time in the data. */
function toRecorded({ id, type, createdAt, createdBy, createdByUserId, project, environment, featureName, ...rest }) {
  return {
    type,
    createdBy: createdBy ?? 'unknown',
    createdByUserId: createdByUserId ?? null,
    project: project ?? null,
    environment: environment ?? null,
    featureName: featureName ?? null,
    data: { ...toFacts(rest.data), unleash: { id, createdAt } },
    preData: rest.preData == null ? null : toFacts(rest.preData),
    tags: (rest.tags ?? []).map(({ type: kind, value }) => ({ type: kind, value })),
  }
}

/** The same without the data of the server, for data that the log rejects. */
function toBareRecorded(event) {
  return toRecorded({ ...event, data: null, preData: null, tags: [] })
}

function toFacts(data) {
  if (data == null) return {}
  return typeof data === 'object' && !Array.isArray(data) ? data : { value: data }
}

module.exports = { toBareRecorded, toRecorded }
