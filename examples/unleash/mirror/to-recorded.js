/** An event of the server as our log takes it, with its own number and time among the data. */
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

/** The same without what the server says about it, for data that our log does not take. */
function toBareRecorded(event) {
  return toRecorded({ ...event, data: null, preData: null, tags: [] })
}

function toFacts(data) {
  if (data == null) return {}
  return typeof data === 'object' && !Array.isArray(data) ? data : { value: data }
}

module.exports = { toBareRecorded, toRecorded }
