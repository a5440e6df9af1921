// Points in a commit at which a process can be made to kill itself:
//   'before the events'  the change request is written, its events are not (SQLite; elsewhere it is one statement)
//   'before COMMIT'      all is written, nothing is committed (on Postgres: nothing is sent, the statement is the commit)
//   'after COMMIT'       the database has committed, the storage does not know it yet
//   'before the response'  the storage has returned, the caller has no response yet

function die() {
  process.kill(process.pid, 'SIGKILL')
  // Delivery of the signal can take a moment. Nothing else must happen until then.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000)
}

/** A storage that kills the process at this point of its first commit. */
exports.dieAt = function dieAt(point, storage, { knex, database, pool }) {
  const state = { armed: false }
  if (database !== undefined) watchSqlite(database, point, state)
  else if (pool !== undefined) pool.on('connect', (client) => watchPostgres(client, point, state))
  else watchConnections(knex, point, state)
  return {
    ...storage,
    async commit(write) {
      state.armed = true
      const answer = await storage.commit(write)
      if (point === 'before the response') die()
      return answer
    },
  }
}

function watchConnections({ client }, point, state) {
  const open = client.acquireRawConnection.bind(client)
  client.acquireRawConnection = async () => {
    const connection = await open()
    if (client.driverName === 'pg') watchPostgres(connection, point, state)
    else watchSqlite(connection, point, state)
    return connection
  }
}

function watchSqlite(connection, point, state) {
  const prepare = connection.prepare.bind(connection)
  connection.prepare = (text) => {
    const statement = prepare(text)
    const run = statement.run.bind(statement)
    statement.run = (...values) => {
      const commits = state.armed && text === 'commit'
      if (state.armed && point === 'before the events' && /insert into \S*events"/.test(text)) die()
      if (commits && point === 'before COMMIT') die()
      const answer = run(...values)
      if (commits && point === 'after COMMIT') die()
      return answer
    }
    return statement
  }
}

function watchPostgres(connection, point, state) {
  const query = connection.query.bind(connection)
  connection.query = (...values) => {
    const writes = state.armed && /insert into \S*change_requests"/.test(values[0]?.text ?? '')
    if (writes && point === 'before COMMIT') die()
    const answer = query(...values)
    return writes && point === 'after COMMIT' ? answer.then(die) : answer
  }
}
