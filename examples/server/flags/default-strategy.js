/** The strategy that is added when a flag without an active strategy is enabled; undefined if the environment has none. */
async function readDefaultStrategy(db, project, environment) {
  const row = await db('flag_environments').where({ project, name: environment }).first()
  return row?.default_strategy == null ? undefined : JSON.parse(row.default_strategy)
}

module.exports = { readDefaultStrategy }
