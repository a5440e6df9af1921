/** What a flag gets that is switched on without an active strategy; undefined where the environment does not say. */
async function readDefaultStrategy(db, project, environment) {
  const row = await db('flag_environments').where({ project, name: environment }).first()
  return row?.default_strategy == null ? undefined : JSON.parse(row.default_strategy)
}

module.exports = { readDefaultStrategy }
