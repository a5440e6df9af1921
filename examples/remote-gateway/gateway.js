const { ChangeRequestError } = require('express-change-requests')
const changed = () => new ChangeRequestError('ConflictError', 'Another user has changed one of the flags. Apply again.')

/** For a flag server whose writes name the version that they replace. The table `flag_applies` of your app is the ledger. */
exports.remoteGateway = (knex, url) => {
  const ledger = () => knex('flag_applies')
  async function read(name, request) {
    const response = await fetch(`${url}/flags/${encodeURIComponent(name)}`, request)
    if (response.ok) return response.json() // { enabled, version, comment }, with the comment of the last write
    if (response.status !== 404 && response.status !== 412) throw new Error(`The server returned ${response.status}.`)
  }
  const write = (name, version, body) => {
    const headers = { 'Content-Type': 'application/json', 'If-Match': `"${version}"` }
    return read(name, { method: 'PUT', headers, body: JSON.stringify(body) })
  }
  const advance = async ({ name, version, enabled }, applyId) =>
    (await write(name, version, { enabled, comment: applyId })) ?? (await read(name))?.comment === applyId
  /** Also replaces the version of a flag that was not written yet, so that a late write of this apply fails. */
  async function undo(one, applyId) {
    const flag = await read(one.name)
    const isOurs = flag?.version === one.version || flag?.comment === applyId
    if (isOurs && !(await write(one.name, flag.version, { enabled: one.before }))) await undo(one, applyId)
  }
  /** Continues where an apply stopped: forward, or back if another user has changed a flag. Null if nothing is applied. */
  async function finish(applyId) {
    const { state, writes: json } = await ledger().where({ apply_id: applyId }).first()
    const writes = JSON.parse(json)
    if (state === 'applied') return writes.map(({ type, name }) => ({ type, featureName: name }))
    if (state === 'not-applied') return null
    let isDone = state === 'applying'
    for (const one of writes) isDone &&= await advance(one, applyId)
    if (state === 'undoing') for (const one of writes) await undo(one, applyId)
    const next = isDone ? 'applied' : state === 'applying' ? 'undoing' : 'not-applied'
    await ledger().where({ apply_id: applyId, state }).update({ state: next }) // unless another process was faster
    return finish(applyId)
  }
  return {
    actions: ['updateEnabled'],
    async current({ features }) {
      const flags = await Promise.all(features.map(async (name) => [name, await read(name)]))
      const states = flags.flatMap(([name, flag]) => (flag ? [[name, { enabled: flag.enabled, archived: false }]] : []))
      return { features: new Map(states), segments: new Map() }
    },
    async apply(changes, { applyId }) {
      const writes = changes.map(async ({ feature: name, payload: { enabled }, expected }) => {
        const flag = await read(name)
        if (flag === undefined || flag.enabled !== expected?.enabled) throw changed()
        const type = enabled ? 'feature-environment-enabled' : 'feature-environment-disabled'
        return { name, version: flag.version, before: flag.enabled, enabled, type }
      })
      const row = { apply_id: applyId, state: 'applying', writes: JSON.stringify(await Promise.all(writes)) }
      await ledger().insert(row) // fails if outcome() has rejected this apply
      return (await finish(applyId)) ?? Promise.reject(changed())
    },
    async outcome(applyId) {
      await ledger().insert({ apply_id: applyId, state: 'not-applied', writes: '[]' }).onConflict('apply_id').ignore()
      return finish(applyId)
    },
  }
}
